import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import { formatAmount } from '../money.js';
import { type ReadDeps, readOne } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import { isAccountId } from '../rules.js';
import { accountTopic } from './events.js';
import { sql } from './read.sql.js';

/** How many transactions a summary shows; all of them are kept. */
export const RECENT_TRANSACTIONS = 20;

/** The account id. */
const cursorShape = z.tuple([z.string().refine(isAccountId)]);

/** An account as its projector has it. Amounts are decimals with all of the currency's digits. */
export interface AccountSummary {
  readonly accountId: string;
  readonly ownerId: string;
  readonly status: 'ACTIVE' | 'CLOSED';
  readonly balance: string;
  readonly currency: string;
  /** Newest first, at most `RECENT_TRANSACTIONS`. */
  readonly recentTransactions: readonly Transaction[];
  /** The stream position of the last event in it. */
  readonly version: number;
}

export interface Transaction {
  readonly date: Date;
  readonly desc: string;
  /** Negative for withdrawals. */
  readonly amount: string;
}

/**
 * An account, to its owner or an admin; null where there is none, and to everybody else.
 *
 * @param wait until the account has reached a version; see `readAfterVersion`
 * @throws PublicError READ_MODEL_TIMEOUT, BAD_USER_INPUT, SERVICE_UNAVAILABLE
 */
export function readAccount(
  { postgres, waits }: ReadDeps,
  caller: Caller,
  accountId: string,
  wait?: Wait,
): Promise<AccountSummary | null> {
  const of = { kind: 'account', id: accountId, topic: accountTopic(accountId) } as const;
  const find = async () => {
    const { rows } = await postgres.query(sql.readAccount, [accountId, RECENT_TRANSACTIONS]);
    const model = rows[0] && toSummary(rows[0]);
    return model ? { model, ownerId: model.ownerId } : null;
  };
  return readOne(waits, caller, of, find, wait);
}

/** The caller's own accounts by account id. @throws PublicError BAD_CURSOR */
export async function readOwnAccounts(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<AccountSummary>> {
  const [from] = decodeCursor(page.cursor, cursorShape) ?? [null];
  const { rows } = await postgres.query(
    page.direction === 'forward' ? sql.readAccountsAfter : sql.readAccountsBefore,
    [caller.viewer.userId, from, page.limit + 1, RECENT_TRANSACTIONS],
  );
  return toConnection(page, rows.map(toSummary), ({ accountId }) => encodeCursor(accountId));
}

const accountRow = z.object({
  account_id: z.string(),
  owner_id: z.string(),
  status: z.enum(['ACTIVE', 'CLOSED']),
  balance: z.coerce.bigint(),
  currency: z.string(),
  version: z.int(),
  transactions: z.array(z.object({ date: z.coerce.date(), desc: z.string(), amount: z.coerce.bigint() })),
});

function toSummary(row: unknown): AccountSummary {
  const account = accountRow.parse(row);
  return {
    accountId: account.account_id,
    ownerId: account.owner_id,
    status: account.status,
    balance: formatAmount(account.balance, account.currency),
    currency: account.currency,
    recentTransactions: account.transactions.map(({ date, desc, amount }) => ({
      date,
      desc,
      amount: formatAmount(amount, account.currency),
    })),
    version: account.version,
  };
}
