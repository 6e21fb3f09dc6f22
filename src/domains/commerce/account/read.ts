import type { Caller } from '../../../platform/auth/caller.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { pageById, readerOf } from '../read.js';
import { sql } from './accounts.sql.js';
import { accountTopic } from './events.js';
import { type AccountSummary, RECENT_TRANSACTIONS, toSummary, viewOf } from './view.js';

/** An account, to its owner or an admin. */
export const readAccount = readerOf<AccountSummary>({
  kind: 'account',
  topicOf: accountTopic,
  async find(postgres, accountId) {
    const { rows } = await postgres.query(sql.readAccount, [RECENT_TRANSACTIONS, accountId]);
    return rows[0] && toSummary(viewOf(rows[0]));
  },
  ownerOf: ({ ownerId }) => ownerId,
});

const pages = { forward: sql.pageAccounts, backward: sql.pageAccountsBack };

/** The caller's own accounts by account id. @throws PublicError BAD_CURSOR */
export const readOwnAccounts = (
  postgres: Queryable,
  { viewer }: Caller,
  page: PageRequest,
): Promise<Connection<AccountSummary>> =>
  pageById(
    page,
    ({ accountId }) => accountId,
    async (atMost, from) => {
      const values = [RECENT_TRANSACTIONS, atMost, from, viewer.userId];
      const { rows } = await postgres.query(pages[page.direction], values);
      return rows.map((row) => toSummary(viewOf(row)));
    },
  );
