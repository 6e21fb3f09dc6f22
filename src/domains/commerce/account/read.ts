import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
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

const pages = {
  all: { forward: sql.pageAccounts, backward: sql.pageAccountsBack },
  own: { forward: sql.pageOwnAccounts, backward: sql.pageOwnAccountsBack },
};

/** The caller's own accounts, an admin's are everybody's; by account id. @throws PublicError BAD_CURSOR */
export const readAccounts = (
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<AccountSummary>> =>
  pageById(
    'accounts',
    page,
    ({ accountId }) => accountId,
    async (atMost, from) => {
      const [list, whose] = isAdmin(caller)
        ? (['all', []] as const)
        : (['own', [caller.viewer.userId]] as const);
      const values = [RECENT_TRANSACTIONS, atMost, from, ...whose];
      const { rows } = await postgres.query(pages[list][page.direction], values);
      return rows.map((row) => toSummary(viewOf(row)));
    },
  );
