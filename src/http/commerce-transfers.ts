import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Transfer } from '../domains/commerce/index.js';
import { commandId, commandType, decimal, modelQuery } from './commerce-fields.js';
import { commandRoute, type Deps, queryRoute, version, waitFor } from './commerce-requests.js';
import { exactNumber } from './exact-json.js';
import { idInPath, money } from './rest-document.js';

const transferMoney = z.strictObject({
  type: commandType('TransferMoney'),
  toAccountId: z.string(),
  amount: decimal,
  description: z.string().nullish(),
  commandId,
});

const transferModel = z.object({
  transferId: z.string(),
  fromAccountId: z.string(),
  toAccountId: z.string(),
  amount: money('In `currency`.'),
  currency: z.string().describe('An ISO 4217 code.'),
  description: z.string().nullable(),
  status: z
    .enum(['STARTED', 'DEBITED', 'COMPLETED', 'REFUSED', 'COMPENSATED'])
    .describe('COMPENSATED: it could not arrive, and is back at its source.'),
  reason: z.string().nullable().describe('The code of the refusal. Null where nothing was refused.'),
  version: z.int().describe('The position of the last event that is in it.'),
});

/**
 * - POST /api/accounts/{account_id}/transfer: 202 `{ transferId, version }`; the transfer itself shows how it ends
 * - GET /api/transfers/{transfer_id}?after_version=: 200
 */
export function registerTransferRoutes(app: FastifyInstance, deps: Deps): void {
  app.post(
    '/api/accounts/:id/transfer',
    commandRoute(deps, {
      about: {
        operationId: 'transferMoney',
        tag: 'Accounts',
        summary: 'Starts a transfer to another account. Read the transfer to see how it ends.',
        params: idInPath('source account'),
      },
      body: transferMoney,
      addressed: 'fromAccountId',
      run: (caller, { type: _, ...body }, fromAccountId) =>
        deps.commerce.transferMoney(caller, { ...body, fromAccountId }),
      status: 202,
      accepted: z.object({ transferId: z.string(), version }),
      answer: ({ aggregateId, version }) => ({ transferId: aggregateId, version }),
    }),
  );
  app.get(
    '/api/transfers/:id',
    queryRoute(deps, {
      about: {
        operationId: 'readTransfer',
        tag: 'Accounts',
        summary: 'Reads a transfer.',
        params: idInPath('transfer'),
      },
      query: modelQuery,
      found: { description: 'The transfer.', schema: transferModel },
      async answer(asked) {
        const transfer = await deps.commerce.transfer(asked.caller, asked.id, waitFor(deps, asked));
        return transfer && toTransfer(transfer);
      },
      missing: 'There is no such transfer',
    }),
  );
}

const toTransfer = (transfer: Transfer): z.infer<typeof transferModel> => ({
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
