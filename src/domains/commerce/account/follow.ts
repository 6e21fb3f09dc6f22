import type { Caller } from '../../../platform/caller.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { WakeUpHub } from '../../../platform/wake-ups.js';
import type { AccountSummary } from './read.js';

/** An account after one more of its events. */
export interface AccountUpdate {
  /** Goes on after this update. */
  readonly cursor: string;
  readonly account: AccountSummary;
}

export interface FollowDeps {
  readonly postgres: Queryable;
  readonly log: EventLog;
  readonly hub: Pick<WakeUpHub, 'listen'>;
}

export async function* followAccount(
  _deps: FollowDeps,
  _caller: Caller,
  _accountId: string,
  _after: string | null,
  _signal: AbortSignal,
): AsyncGenerator<AccountUpdate> {
  throw new Error('not written yet');
}
