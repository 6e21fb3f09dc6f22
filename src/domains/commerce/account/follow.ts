import type { Caller } from '../../../platform/auth/caller.js';
import { encodeCursor } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { beginAfter, type FollowHub, type FollowLog, readFollowCursor, versionsReached } from '../follow.js';
import { sql } from './accounts.sql.js';
import { accountStream, accountTopic } from './events.js';
import { assertOwnAccount } from './owner.js';
import {
  type AccountSummary,
  type AccountView,
  RECENT_TRANSACTIONS,
  toSummary,
  viewAfter,
  viewOf,
} from './view.js';

const PAGE = 100;

/** An account after one more of its events. */
export interface AccountUpdate {
  /** Goes on after this update. */
  readonly cursor: string;
  readonly account: AccountSummary;
}

/**
 * The account after each of its events, from after a cursor or from now on, in order, without gap or repeat, until
 * `signal` aborts; to its owner or an admin. A query for the account after that sees at least the update's version.
 *
 * @throws PublicError NOT_FOUND, BAD_CURSOR; CURSOR_EXPIRED where more than 1,000 events were missed
 */
export async function* followAccount(
  { postgres, log }: { readonly postgres: Queryable; readonly log: FollowLog },
  hub: FollowHub,
  caller: Caller,
  accountId: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<AccountUpdate> {
  await assertOwnAccount(log, caller, accountId);
  const cursor = readFollowCursor(after, accountId);
  const readVersion = () => readAccountVersion(postgres, accountId);
  let version: number | undefined;
  let view: AccountView | null = null;
  for await (const reached of versionsReached(hub, { topic: accountTopic(accountId), readVersion }, signal)) {
    if (version === undefined) {
      version = beginAfter(cursor, reached);
      view = await readAccountAt(postgres, accountId, version);
    }
    while (version < reached) {
      const events = await log.readStream(
        accountStream(accountId),
        version,
        Math.min(PAGE, reached - version),
      );
      if (events.length === 0) throw new Error(`account ${accountId} has no version ${reached}`);
      for (const event of events) {
        if (signal.aborted) return;
        view = viewAfter(view, event);
        version = view.version;
        yield { cursor: encodeCursor(accountId, version), account: toSummary(view) };
      }
    }
  }
}

async function readAccountVersion(postgres: Queryable, accountId: string): Promise<number> {
  const { rows } = await postgres.query(sql.readAccountVersion, [accountId]);
  return rows[0]?.version ?? -1;
}

/** The account as it was at a version that the read model has had; null at -1, before it was created. */
async function readAccountAt(
  postgres: Queryable,
  accountId: string,
  version: number,
): Promise<AccountView | null> {
  if (version < 0) return null;
  const { rows } = await postgres.query(sql.readAccountAt, [RECENT_TRANSACTIONS, accountId, version]);
  const account = viewOf(rows[0]!);
  // Nothing happens to a closed account: what had a later version was open.
  return { ...account, status: account.version > version ? 'ACTIVE' : account.status, version };
}
