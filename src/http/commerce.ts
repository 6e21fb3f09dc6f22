import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Accepted, AccountSummary, Commerce, MoveMoneyInput } from '../domains/commerce/index.js';
import type { OpenRequest } from '../edge/index.js';
import { type Caller, callerOf } from '../platform/caller.js';
import type { Clock } from '../platform/clock.js';
import { readDecimal } from '../platform/decimal.js';
import { PublicError, type Result, type UserError } from '../platform/errors.js';
import type { WakeUpHub } from '../platform/wake-ups.js';
import { exactNumber } from './exact-json.js';

interface Deps {
  readonly commerce: Commerce;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  readonly openRequest: OpenRequest;
}

/** Reads amounts as the GraphQL scalar does: a JSON number of up to 15 digits, or a string. */
const decimal = z.union([z.number(), z.string()]).transform((value, context) => {
  try {
    return readDecimal(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
const movement = z.object({
  amount: decimal,
  currency: z.string().nullish(),
  description: z.string().nullish(),
  expectedVersion: z.int32().nullish(),
  commandId: z.string().nullish(),
});
const summaryQuery = z.object({
  after_version: z
    .string()
    .regex(/^\d{1,9}$/, 'after_version must be a whole number')
    .transform(Number)
    .optional(),
});
const accountPath = z.object({ account_id: z.string() });

/**
 * The REST face of accounts:
 *
 * - POST /api/accounts/{account_id}/deposit and /withdraw: 201 `{ version }`
 * - GET /api/accounts/{account_id}/summary?after_version=: 200, money as JSON numbers with their exact digits
 *
 * Refusals are `{"error":{"code","message","path"}}`.
 */
export function registerCommerceRoutes(app: FastifyInstance, deps: Deps): void {
  const move =
    (command: (caller: Caller, input: MoveMoneyInput) => Promise<Result<Accepted>>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = await open(deps, request, reply);
      const body = movement.safeParse(request.body);
      if (!body.success) return sendRefusal(reply, 400, malformed(body.error));
      const { account_id: accountId } = accountPath.parse(request.params);
      const result = await command(caller, { accountId, ...body.data });
      if (!result.ok) return sendRefusal(reply, statusOf(result.errors[0]!.code), result.errors[0]!);
      return reply.code(201).send({ version: result.value.version });
    };
  app.post('/api/accounts/:account_id/deposit', move(deps.commerce.deposit));
  app.post('/api/accounts/:account_id/withdraw', move(deps.commerce.withdraw));

  app.get('/api/accounts/:account_id/summary', async (request, reply) => {
    const { caller, signal } = await open(deps, request, reply);
    const query = summaryQuery.safeParse(request.query);
    if (!query.success) return sendRefusal(reply, 400, malformed(query.error));
    const { account_id: accountId } = accountPath.parse(request.params);
    const { after_version: afterVersion } = query.data;
    const wait = afterVersion === undefined ? undefined : { afterVersion, signal, ...deps };
    const account = await deps.commerce.account(caller, accountId, wait);
    if (!account) throw new PublicError('NOT_FOUND', 'There is no such account');
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(toSummary(account)));
  });
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

/** @throws PublicError UNAUTHENTICATED for an anonymous caller */
async function open(
  { openRequest }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ caller: Caller; signal: AbortSignal }> {
  const opened = await openRequest(request, reply);
  return { caller: callerOf(opened), signal: opened.signal };
}

/** 400: a field is wrong in itself; 409: somebody else was there; 422: a rule of the account refused it. */
function statusOf(code: string): number {
  if (code === 'FORBIDDEN') return 403;
  if (code === 'ACCOUNT_NOT_FOUND') return 404;
  if (['CONFLICT', 'VERSION_CONFLICT', 'COMMAND_ID_REUSED', 'ACCOUNT_EXISTS'].includes(code)) return 409;
  return /_INVALID$|^AMOUNT_|^CURRENCY_UNKNOWN$/.test(code) ? 400 : 422;
}

function malformed({ issues }: z.ZodError): UserError {
  const [issue] = issues;
  return {
    code: 'BAD_USER_INPUT',
    message: issue?.message ?? 'Invalid input',
    path: issue?.path.map(String) ?? [],
  };
}

/** A refusal's path points into the body, so GraphQL's leading `input` goes. */
function sendRefusal(reply: FastifyReply, status: number, { code, message, path }: UserError): FastifyReply {
  const field = path?.[0] === 'input' ? path.slice(1) : (path ?? []);
  return reply.code(status).send({ error: { code, message, path: field.length > 0 ? field : null } });
}
