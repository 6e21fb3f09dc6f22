import { z } from 'zod';
import { defineEvents, type EventOf, schemaVersion } from '../../../platform/event-log/define-events.js';
import { decimal } from '../event-fields.js';

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

const accountEvents = defineEvents({
  AccountCreated: z.object({ accountId: z.string(), ownerId: z.string(), currency, version: schemaVersion }),
  MoneyDeposited: movement,
  MoneyWithdrawn: movement,
  AccountClosed: z.object({ version: schemaVersion }),
});

/** Everything that can happen to an account. */
export type AccountEvent = EventOf<typeof accountEvents>;

export const { types: accountEventTypes, read: readAccountEvent } = accountEvents;

const STREAM_PREFIX = 'Account-';
export const accountStream = (accountId: string): string => `${STREAM_PREFIX}${accountId}`;
export const accountIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about an account; their payload is `{ version }`. */
export const accountTopic = (accountId: string): string => `account:${accountId}`;
