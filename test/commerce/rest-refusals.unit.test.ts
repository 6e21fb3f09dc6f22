import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { knownCodes, statusOf } from '../../src/http/refusals.js';

const domain = new URL('../../src/domains/commerce/', import.meta.url);
const execute = new URL('../../src/platform/event-log/execute.ts', import.meta.url);
/** `refused('CODE'`, `code: 'CODE'`, and texts' rules, which name their code first. */
const WRITTEN = /(?:refused\(|code: |= line\()\s*'([A-Z][A-Z_]+)'/g;
/** Between the steps of a transfer; no client gets it. */
const INTERNAL = ['STEP_NOT_DUE'];

const refusal = (code: string, field = 'field') => ({ code, message: '', path: ['input', field] });

describe('the status of a refused command', () => {
  it('is settled for every code that commerce refuses with', () => {
    const files = readdirSync(domain, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => new URL(file, domain));
    const codes = [execute, ...files].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(WRITTEN)].map((match) => match[1]!),
    );
    expect(codes.length).toBeGreaterThan(20);
    expect([...new Set(codes)].filter((code) => !knownCodes.has(code) && !INTERNAL.includes(code))).toEqual(
      [],
    );
  });

  it.each([
    [400, ['ID_INVALID', 'QUANTITY_INVALID', 'ITEMS_EMPTY', 'AMOUNT_TOO_LARGE', 'TRANSFER_TO_SELF']],
    [403, ['FORBIDDEN', 'CREDIT_LIMIT_FORBIDDEN']],
    [409, ['CONFLICT', 'VERSION_CONFLICT', 'COMMAND_ID_REUSED', 'ORDER_EXISTS', 'CUSTOMER_EXISTS']],
    [422, ['INACTIVE_CUSTOMER', 'OUT_OF_STOCK', 'CREDIT_LIMIT_EXCEEDED', 'PRICE_CHANGED', 'ORDER_CANCELLED']],
    [
      422,
      ['INSUFFICIENT_FUNDS', 'ACCOUNT_CLOSED', 'CURRENCY_MISMATCH', 'TRANSFERS_PENDING', 'STOCK_RESERVED'],
    ],
  ])('is %i for %j', (status, codes) => {
    for (const code of codes) expect([code, statusOf(refusal(code), null)]).toEqual([code, status]);
  });

  it('is 404 where the address names what there is not, and 422 where the body does', () => {
    expect(statusOf(refusal('ACCOUNT_NOT_FOUND', 'fromAccountId'), 'fromAccountId')).toBe(404);
    expect(statusOf(refusal('ACCOUNT_NOT_FOUND', 'toAccountId'), 'fromAccountId')).toBe(422);
    expect(statusOf(refusal('CUSTOMER_NOT_FOUND', 'customerId'), null)).toBe(422);
    expect(statusOf({ code: 'PRODUCT_NOT_FOUND', message: '' }, null)).toBe(422);
  });
});
