import type { Caller } from '../../../platform/auth/caller.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import { accountStream } from './events.js';
import { findOwnAccount } from './owner.js';
import { type AccountSummary, type AccountView, accountView, toSummary, viewAfter } from './view.js';

/**
 * An account as it was at a moment, to its owner or an admin; null where there is none, and to everybody else. See
 * `replayUntil`.
 *
 * @throws PublicError what `replayUntil` throws
 */
export async function readAccountAsOf(
  deps: ReplayDeps,
  caller: Caller,
  accountId: string,
  asOf: Date,
): Promise<AccountSummary | null> {
  assertDate(asOf);
  if (!(await findOwnAccount(deps.log, caller, accountId))) return null;
  const of = { streamId: accountStream(accountId), view: accountView, what: 'account', asOf };
  return toSummary(await replayUntil<AccountView>(deps, caller, of, viewAfter));
}
