import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AccountSummary, AuditEntry } from '../domains/commerce/index.js';
import type { Connection } from '../platform/paging.js';
import { commandId, commandType, decimal, pageQuery, summaryQuery } from './commerce-fields.js';
import { commandRoute, type Deps, queryRoute, versionOf, waitFor } from './commerce-requests.js';
import { exactNumber } from './exact-json.js';

const movement = (type: 'Deposit' | 'Withdraw') =>
  z.strictObject({
    type: commandType(type),
    amount: decimal,
    currency: z.string().nullish(),
    description: z.string().nullish(),
    expectedVersion: z.int32().nullish(),
    commandId,
  });
const bodies = { deposit: movement('Deposit'), withdraw: movement('Withdraw') };

/**
 * - POST /api/accounts/{account_id}/deposit and /withdraw: 201 `{ version }`
 * - GET /api/accounts/{account_id}/summary?after_version= or ?as_of=: 200, money as JSON numbers with their exact
 *   digits; `as_of` is an RFC 3339 time
 * - GET /api/accounts/{account_id}/audit?first=&after=: 200 `{ entries, has_next_page, end_cursor }`
 */
export function registerAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { commerce } = deps;
  for (const kind of ['deposit', 'withdraw'] as const) {
    app.post(
      `/api/accounts/:id/${kind}`,
      commandRoute(deps, {
        body: bodies[kind],
        addressed: 'accountId',
        run: (caller, { type: _, ...body }, accountId) => commerce[kind](caller, { ...body, accountId }),
        status: 201,
        answer: versionOf,
      }),
    );
  }
  app.get(
    '/api/accounts/:id/summary',
    queryRoute(deps, {
      query: summaryQuery,
      async answer(asked) {
        const { caller, id, query } = asked;
        const account = query.as_of
          ? await commerce.accountAsOf(caller, id, query.as_of)
          : await commerce.account(caller, id, waitFor(deps, asked));
        return account && toSummary(account);
      },
      missing: 'There is no such account',
    }),
  );
  app.get(
    '/api/accounts/:id/audit',
    queryRoute(deps, {
      query: pageQuery,
      async answer({ caller, id, query }) {
        const { first = null, after = null } = query;
        return toAudit(await commerce.accountAudit(caller, id, { first, after }));
      },
      missing: 'There is no such account',
    }),
  );
}

/** The document's account summary. */
const toSummary = ({ accountId, balance, recentTransactions, version }: AccountSummary) => ({
  accountId,
  balance: exactNumber(balance),
  recentTransactions: recentTransactions.map(({ date, desc, amount }) => ({
    date,
    desc,
    amount: exactNumber(amount),
  })),
  version,
});

/** The document's audit columns, a page of them. */
const toAudit = ({ edges, pageInfo }: Connection<AuditEntry>) => ({
  entries: edges.map(({ node }) => ({
    event_type: node.eventType,
    amount: node.amount === null ? null : exactNumber(node.amount),
    description: node.description,
    performed_by: node.performedBy,
    transaction_id: node.transactionId,
    created_at: node.createdAt,
    stream_position: node.streamPosition,
  })),
  has_next_page: pageInfo.hasNextPage,
  end_cursor: pageInfo.endCursor,
});
