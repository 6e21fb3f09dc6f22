import { z } from 'zod';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { decimal, schemaVersion } from '../event-fields.js';

const currency = z.string().length(3);
/** An exact decimal in the account's currency, always above zero; the event's type says its direction. */
const movement = z.object({
  amount: decimal,
  currency,
  description: z.string().nullable(),
  /** The transfer that moved it, where one did. */
  transferId: z.string().nullable().default(null),
  version: schemaVersion,
});

const accountEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('AccountCreated'),
    data: z.object({ accountId: z.string(), ownerId: z.string(), currency, version: schemaVersion }),
  }),
  z.object({ type: z.literal('MoneyDeposited'), data: movement }),
  z.object({ type: z.literal('MoneyWithdrawn'), data: movement }),
  z.object({ type: z.literal('AccountClosed'), data: z.object({ version: schemaVersion }) }),
]);

/** Everything that can happen to an account. */
export type AccountEvent = z.infer<typeof accountEvent>;

export const accountEventTypes: ReadonlySet<string> = new Set(
  accountEvent.options.map(({ shape }) => shape.type.value),
);

/**
 * Reads an event of an account's stream.
 *
 * @throws where it is none
 */
export const readAccountEvent = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): AccountEvent =>
  accountEvent.parse({ type, data });

const STREAM_PREFIX = 'Account-';
export const accountStream = (accountId: string): string => `${STREAM_PREFIX}${accountId}`;
export const accountIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about an account; their payload is `{ version }`. */
export const accountTopic = (accountId: string): string => `account:${accountId}`;
