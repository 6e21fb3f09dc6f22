import type { FastifyReply } from 'fastify';
import type { UserError } from '../platform/errors.js';

/** The HTTP status of each refusal, by its code. */
const codesByStatus = {
  /** A field is wrong in itself. */
  400: [
    'BAD_USER_INPUT',
    'ID_INVALID',
    'AMOUNT_INVALID',
    'AMOUNT_NOT_POSITIVE',
    'AMOUNT_TOO_PRECISE',
    'AMOUNT_TOO_LARGE',
    'CURRENCY_UNKNOWN',
    'DESCRIPTION_INVALID',
    'ITEMS_EMPTY',
    'TOO_MANY_ITEMS',
    'QUANTITY_INVALID',
    'ADDRESS_INVALID',
    'TRACKING_NUMBER_INVALID',
    'REASON_INVALID',
    'REFERENCE_INVALID',
    'NAME_INVALID',
    'EMAIL_INVALID',
    'STOCK_INVALID',
    'CREDIT_LIMIT_INVALID',
    'NOTHING_TO_CHANGE',
    'TRANSFER_TO_SELF',
  ],
  403: ['FORBIDDEN', 'CREDIT_LIMIT_FORBIDDEN'],
  /** Somebody else, or another command, was there before. */
  409: [
    'CONFLICT',
    'VERSION_CONFLICT',
    'COMMAND_ID_REUSED',
    'ACCOUNT_EXISTS',
    'CUSTOMER_EXISTS',
    'ORDER_EXISTS',
  ],
  /** A business rule refuses it. */
  422: [
    'INACTIVE_CUSTOMER',
    'OUT_OF_STOCK',
    'CREDIT_LIMIT_EXCEEDED',
    'PRICE_CHANGED',
    'STOCK_RESERVED',
    'PAYMENT_TOO_LARGE',
    'ORDER_CANCELLED',
    'ORDER_SHIPPED',
    'INSUFFICIENT_FUNDS',
    'ACCOUNT_CLOSED',
    'CURRENCY_MISMATCH',
    'ACCOUNT_NOT_EMPTY',
    'TRANSFERS_PENDING',
    'TOO_MANY_TRANSFERS',
  ],
} as const;

/** 404 where the address itself names the thing; a body that names what there is not breaks a rule: 422. */
const missingThings: ReadonlySet<string> = new Set([
  'ACCOUNT_NOT_FOUND',
  'ORDER_NOT_FOUND',
  'CUSTOMER_NOT_FOUND',
  'PRODUCT_NOT_FOUND',
]);

const statuses: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByStatus).flatMap(([status, codes]) =>
    codes.map((code): [string, number] => [code, Number(status)]),
  ),
);

/** Every code that `statusOf` knows. */
export const knownCodes: ReadonlySet<string> = new Set([...statuses.keys(), ...missingThings]);

/**
 * The HTTP status of a refused command.
 *
 * @param addressed the input field that the address fills in
 */
export function statusOf({ code, path }: UserError, addressed: string | null): number {
  if (missingThings.has(code)) return path?.[1] === addressed && addressed !== null ? 404 : 422;
  return statuses.get(code) ?? 422;
}

/** A refusal's path points into the body, so GraphQL's leading `input` goes. */
export function sendRefusal(
  reply: FastifyReply,
  status: number,
  { code, message, path }: UserError,
): FastifyReply {
  const field = path?.[0] === 'input' ? path.slice(1) : (path ?? []);
  return reply.code(status).send({ error: { code, message, path: field.length > 0 ? field : null } });
}
