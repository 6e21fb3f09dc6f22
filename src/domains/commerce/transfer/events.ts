import { z } from 'zod';
import { defineEvents, type EventOf, schemaVersion } from '../../../platform/event-log/define-events.js';
import { decimal } from '../event-fields.js';

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

const transferEvents = defineEvents({
  TransferStarted: transfer,
  TransferDebited: transfer,
  TransferCompleted: transfer,
  TransferRefused: failed,
  TransferCompensated: failed,
});

/** Everything that can happen to a transfer. The last three end it. */
export type TransferEvent = EventOf<typeof transferEvents>;
export type TransferFacts = z.infer<typeof transfer>;

export const { types: transferEventTypes, read: readTransferEvent } = transferEvents;

const STREAM_PREFIX = 'Transfer-';
export const transferStream = (transferId: string): string => `${STREAM_PREFIX}${transferId}`;
export const transferIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about a transfer; their payload is `{ version }`. */
export const transferTopic = (transferId: string): string => `transfer:${transferId}`;
