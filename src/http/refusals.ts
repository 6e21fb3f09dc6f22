import type { FastifyReply } from 'fastify';
import { snakeCase } from '../edge/index.js';
import type { UserError } from '../platform/errors.js';

/** The HTTP status of each refusal, by its code; 400 of every other code: a field is wrong in itself. */
const codesByStatus = {
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
    'CALLBACK_MALFORMED',
    'LINK_MALFORMED',
  ],
  403: ['FORBIDDEN', 'CREDIT_LIMIT_FORBIDDEN', 'SIGNATURE_REFUSED', 'SIGNATURE_EXPIRED'],
  404: ['NOT_FOUND', 'WEBHOOK_OFF', 'DELIVERY_NOT_FOUND'],
  /** Another command came first, or the same key stands for something else. */
  409: [
    'CONFLICT',
    'VERSION_CONFLICT',
    'COMMAND_ID_REUSED',
    'IDEMPOTENCY_KEY_REUSED',
    'NOTIFICATION_ID_REUSED',
    'BATCH_ID_REUSED',
    'ACCOUNT_EXISTS',
    'CUSTOMER_EXISTS',
    'ORDER_EXISTS',
  ],
  413: ['MEDIA_TOO_LARGE'],
  415: ['MEDIA_TYPE_UNSUPPORTED', 'UNSUPPORTED_MEDIA_TYPE'],
  /** A rule refuses it. */
  422: [
    'CONTENT_REJECTED',
    'MEDIA_NOT_FOUND',
    'MEDIA_FAILED',
    'AUTHOR_NOT_FOUND',
    'NOTHING_TO_SEND',
    'TEMPLATE_NOT_FOUND',
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
    'TOO_MANY_CAMPAIGNS',
  ],
} as const;

/** 404 where the address itself names the thing; a body that names what does not exist breaks a rule: 422. */
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

/** Every code whose status is given here. */
export const knownCodes: ReadonlySet<string> = new Set([...statuses.keys(), ...missingThings]);

/**
 * The HTTP status of a refusal.
 *
 * @param addressed of a command: the input field that the address fills in, or null. A code of its rules that has no status here, as an
 *   inline projection of a later version may give, is 422.
 */
export function statusOf({ code, path }: UserError, addressed?: string | null): number {
  if (missingThings.has(code)) return addressed && path?.[1] === addressed ? 404 : 422;
  return statuses.get(code) ?? (addressed === undefined ? 400 : 422);
}

/** Sends a refusal as `{"error":{"code","message","path"}}`. */
export function sendRefusal(
  reply: FastifyReply,
  error: UserError,
  route: {
    /** The input field that the address fills in. */
    readonly addressed?: string | null;
    /** The route's body has snake_case names, and its idempotency key is a header. */
    readonly isSnakeCase?: boolean;
  } = {},
): FastifyReply {
  const { code, message } = error;
  const path = pathInBody(error, route.isSnakeCase ?? false);
  return reply.code(statusOf(error, route.addressed)).send({ error: { code, message, path } });
}

/** A path points into the body, so GraphQL's leading `input` goes. */
function pathInBody({ path = [] }: UserError, isSnakeCase: boolean): readonly string[] | null {
  if (path[0] !== 'input') return path.length > 0 ? path : null;
  const field = path.slice(1);
  if (field.length === 0) return null;
  return isSnakeCase ? field.map(restName) : field;
}

/** `mediaIds` is `media_ids`; a variable keeps the name that its sender gave it. */
function restName(name: string, index: number, path: readonly string[]): string {
  if (path[index - 1] === 'variables') return name;
  if (name === 'idempotencyKey') return 'Idempotency-Key';
  return snakeCase(name);
}
