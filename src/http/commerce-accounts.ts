import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AccountSummary, AuditEntry } from '../domains/commerce/index.js';
import type { Connection } from '../platform/paging.js';
import { commandId, commandType, decimal, pageQuery, summaryQuery } from './commerce-fields.js';
import {
  commandRoute,
  type Deps,
  queryRoute,
  versionOf,
  versionSchema,
  waitFor,
} from './commerce-requests.js';
import { exactNumber } from './exact-json.js';
import { dateTime, idInPath, money } from './rest-document.js';

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

const accountInPath = idInPath('account');

const movements = {
  deposit: { operationId: 'deposit', summary: 'Puts money into an account.' },
  withdraw: { operationId: 'withdraw', summary: 'Takes money out of an account.' },
};

const summaryModel = z.object({
  accountId: z.string(),
  balance: money('In the currency of the account.'),
  recentTransactions: z
    .array(
      z.object({
        date: dateTime('When it happened.'),
        desc: z.string().describe('What it was for.'),
        amount: money('Positive for what came in, negative for what went out.'),
      }),
    )
    .describe('The newest 20, newest first.'),
  version: z.int().describe('The position of the last event that is in it.'),
});

const auditPage = z.object({
  entries: z.array(
    z.object({
      event_type: z.string(),
      amount: money('Never negative. Null where nothing moved.').nullable(),
      description: z.string().nullable(),
      performed_by: z.string().nullable().describe('The user whose command it was.'),
      transaction_id: z.string().nullable().describe('The correlation id.'),
      created_at: dateTime('When it was recorded.'),
      stream_position: z.int(),
    }),
  ),
  has_next_page: z.boolean(),
  end_cursor: z.string().nullable().describe('Pass it as `after` for the next page.'),
});

/**
 * - POST /api/accounts/{account_id}/deposit and /withdraw: 201 `{ version }`
 * - GET /api/accounts/{account_id}/summary?after_version= or ?as_of=: 200, money as JSON numbers with their exact
 *   digits; `as_of` is an RFC 3339 time, and counts with the limit of `Query.account`
 * - GET /api/accounts/{account_id}/audit?first=&after=: 200 `{ entries, has_next_page, end_cursor }`
 */
export function registerAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { commerce } = deps;
  for (const kind of ['deposit', 'withdraw'] as const) {
    app.post(
      `/api/accounts/:id/${kind}`,
      commandRoute(deps, {
        about: { ...movements[kind], tag: 'Accounts', params: accountInPath },
        body: bodies[kind],
        addressed: 'accountId',
        run: (caller, { type: _, ...body }, accountId) => commerce[kind](caller, { ...body, accountId }),
        status: 201,
        accepted: versionSchema,
        answer: versionOf,
      }),
    );
  }
  app.get(
    '/api/accounts/:id/summary',
    queryRoute(deps, {
      about: {
        operationId: 'readAccountSummary',
        tag: 'Accounts',
        summary: 'Reads an account, as it is or as it was.',
        params: accountInPath,
      },
      query: summaryQuery,
      found: { description: 'The account.', schema: summaryModel },
      countsWith: ({ as_of }) => (as_of ? 'Query.account' : null),
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
      about: {
        operationId: 'readAccountAudit',
        tag: 'Accounts',
        summary: 'Reads every event of an account, oldest first, page by page.',
        params: accountInPath,
      },
      query: pageQuery,
      found: { description: 'A page of events.', schema: auditPage },
      async answer({ caller, id, query }) {
        const { first = null, after = null } = query;
        return toAudit(await commerce.accountAudit(caller, id, { first, after }));
      },
      missing: 'There is no such account',
    }),
  );
}

/** The document's account summary. */
const toSummary = ({
  accountId,
  balance,
  recentTransactions,
  version,
}: AccountSummary): z.infer<typeof summaryModel> => ({
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
const toAudit = ({ edges, pageInfo }: Connection<AuditEntry>): z.infer<typeof auditPage> => ({
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
