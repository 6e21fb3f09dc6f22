import { z } from 'zod';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { decimal, schemaVersion } from '../event-fields.js';

/** What every event of a transfer carries, so that a reader of one needs no other. */
const transfer = z.object({
  transferId: z.string(),
  fromAccountId: z.string(),
  toAccountId: z.string(),
  /** The owner of the source account. */
  ownerId: z.string(),
  amount: decimal,
  currency: z.string().length(3),
  description: z.string().nullable(),
  version: schemaVersion,
});
/** `reason` is the code of the refusal, e.g. INSUFFICIENT_FUNDS. */
const failed = transfer.extend({ reason: z.string() });

const transferEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('TransferStarted'), data: transfer }),
  z.object({ type: z.literal('TransferDebited'), data: transfer }),
  z.object({ type: z.literal('TransferCompleted'), data: transfer }),
  z.object({ type: z.literal('TransferRefused'), data: failed }),
  z.object({ type: z.literal('TransferCompensated'), data: failed }),
]);

/** Everything that can happen to a transfer. The last three end it. */
export type TransferEvent = z.infer<typeof transferEvent>;
export type TransferFacts = z.infer<typeof transfer>;

export const transferEventTypes: ReadonlySet<string> = new Set(
  transferEvent.options.map(({ shape }) => shape.type.value),
);

/**
 * Reads an event of a transfer's stream.
 *
 * @throws where it is none
 */
export const readTransferEvent = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): TransferEvent =>
  transferEvent.parse({ type, data });

const STREAM_PREFIX = 'Transfer-';
export const transferStream = (transferId: string): string => `${STREAM_PREFIX}${transferId}`;
export const transferIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about a transfer; their payload is `{ version }`. */
export const transferTopic = (transferId: string): string => `transfer:${transferId}`;
