import type { Aggregate } from '../../../platform/event-log/aggregate.js';
import { type AccountCommand, decide } from './decide.js';
import { type AccountEvent, readAccountEvent } from './events.js';
import { type AccountState, accountSnapshot, evolve, unknownAccount } from './state.js';

/** Accounts, in streams `Account-<account id>`. */
export const accountAggregate: Aggregate<AccountState, AccountCommand, AccountEvent> = {
  initial: unknownAccount,
  decide,
  evolve,
  read: readAccountEvent,
  snapshot: accountSnapshot,
};
