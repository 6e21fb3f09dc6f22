import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Transfer } from '../domains/commerce/index.js';
import { commandId, commandType, decimal, modelQuery } from './commerce-fields.js';
import { commandRoute, type Deps, queryRoute, waitFor } from './commerce-requests.js';
import { exactNumber } from './exact-json.js';

const transferMoney = z.strictObject({
  type: commandType('TransferMoney'),
  toAccountId: z.string(),
  amount: decimal,
  description: z.string().nullish(),
  commandId,
});

/**
 * - POST /api/accounts/{account_id}/transfer: 202 `{ transferId, version }`; the transfer itself tells how it ends
 * - GET /api/transfers/{transfer_id}?after_version=: 200
 */
export function registerTransferRoutes(app: FastifyInstance, deps: Deps): void {
  app.post(
    '/api/accounts/:id/transfer',
    commandRoute(deps, {
      body: transferMoney,
      addressed: 'fromAccountId',
      run: (caller, { type: _, ...body }, fromAccountId) =>
        deps.commerce.transferMoney(caller, { ...body, fromAccountId }),
      status: 202,
      answer: ({ aggregateId, version }) => ({ transferId: aggregateId, version }),
    }),
  );
  app.get(
    '/api/transfers/:id',
    queryRoute(deps, {
      query: modelQuery,
      async answer(asked) {
        const transfer = await deps.commerce.transfer(asked.caller, asked.id, waitFor(deps, asked));
        return transfer && toTransfer(transfer);
      },
      missing: 'There is no such transfer',
    }),
  );
}

const toTransfer = (transfer: Transfer) => ({
  transferId: transfer.transferId,
  fromAccountId: transfer.fromAccountId,
  toAccountId: transfer.toAccountId,
  amount: exactNumber(transfer.amount),
  currency: transfer.currency,
  description: transfer.description,
  status: transfer.status,
  reason: transfer.reason,
  version: transfer.version,
});
