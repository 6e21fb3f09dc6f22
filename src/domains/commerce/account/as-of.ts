import type { Caller } from '../../../platform/caller.js';
import type { Clock } from '../../../platform/clock.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { AccountSummary } from './read.js';

export async function readAccountAsOf(
  _deps: { log: EventLog; clock: Clock },
  _caller: Caller,
  _accountId: string,
  _asOf: Date,
): Promise<AccountSummary | null> {
  throw new Error('not written yet');
}
