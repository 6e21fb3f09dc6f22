import type { Caller } from '../../../platform/caller.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import type { ReplayView } from '../replay-snapshots.js';
import { accountStream } from './events.js';
import { findOwnAccount } from './owner.js';
import type { AccountSummary } from './read.js';
import { type AccountView, toSummary, viewAfter } from './view.js';

const VIEW: ReplayView = { name: 'account', version: 1 };

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
  const of = { streamId: accountStream(accountId), view: VIEW, what: 'account', asOf };
  return toSummary(await replayUntil<AccountView>(deps, caller, of, viewAfter));
}
