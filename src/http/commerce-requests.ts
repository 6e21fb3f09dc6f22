import type { FastifyReply, FastifyRequest, RouteShorthandOptionsWithHandler } from 'fastify';
import { z } from 'zod';
import type { Accepted, Commerce, Wait } from '../domains/commerce/index.js';
import type { OpenRequest } from '../edge/index.js';
import { type Caller, callerOf } from '../platform/auth/caller.js';
import type { Clock } from '../platform/clock.js';
import { PublicError, type Result } from '../platform/errors.js';
import { forReader } from '../platform/wake-ups/reader.js';
import type { WakeUpHub } from '../platform/wake-ups/wake-ups.js';
import type { FieldCheck } from '../schema/rate-limit-directive.js';
import { malformed } from './malformed.js';
import { sendRefusal } from './refusals.js';
import { idempotencyKey, type RestBody, type RestDocument } from './rest-document.js';

/** What the routes of commerce work with. */
export interface Deps {
  readonly commerce: Commerce;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  readonly openRequest: OpenRequest;
  readonly checkField: FieldCheck;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type About = Pick<RestDocument, 'operationId' | 'tag' | 'summary' | 'description' | 'params'>;
type Command = { readonly commandId?: string | null | undefined };

/** What the address names, under the name that every route gives it; empty where it names nothing. */
const address = z.object({ id: z.string().default('') });

const key = idempotencyKey('Stands for `commandId` where the body has none.');

/**
 * Serves a command: reads its body, takes the header `Idempotency-Key` for its id where the body has none, and
 * answers what was accepted, or the refusal.
 */
export function commandRoute<Body extends Command, Answer extends object>(
  deps: Deps,
  route: {
    readonly about: About;
    readonly body: z.ZodType<Body>;
    /** The input field that the address fills; null where it fills none. */
    readonly addressed: string | null;
    run(caller: Caller, body: Body, id: string): Promise<Result<Accepted>>;
    readonly status: 201 | 202;
    readonly accepted: z.ZodType<Answer>;
    answer(accepted: Accepted): Answer;
  },
): RouteShorthandOptionsWithHandler {
  const accepted = { description: 'Accepted, now or before under the same id.', schema: route.accepted };
  const rest: RestDocument = {
    ...route.about,
    headers: key,
    body: { description: 'The command.', schema: route.body },
    answers: { [route.status]: accepted },
    refusals: route.addressed === null ? [403, 409, 422] : [403, 404, 409, 422],
  };
  const handler: Handler = async (request, reply) => {
    const caller = callerOf(await deps.openRequest(request, reply));
    const read = route.body.safeParse(request.body);
    if (!read.success) return sendRefusal(reply, malformed(read.error));
    const commandId = read.data.commandId ?? request.headers['idempotency-key']?.toString();
    const { id } = address.parse(request.params);
    const result = await route.run(caller, { ...read.data, commandId }, id);
    if (result.ok) return reply.code(route.status).send(route.answer(result.value));
    return sendRefusal(reply, result.errors[0]!, route);
  };
  return { config: { rest }, handler };
}

/** What a command on something that was there answers. */
export const versionOf = ({ version }: Accepted) => ({ version });

export const version = z
  .int()
  .describe('The version that the command led to: pass it as `after_version` to read the change.');
export const versionSchema = z.object({ version });

interface Asked<Query> {
  readonly caller: Caller;
  readonly id: string;
  readonly query: Query;
  readonly signal: AbortSignal;
}

/** Serves a query: 404 where it finds nothing. */
export function queryRoute<Query, Answer extends object>(
  deps: Deps,
  route: {
    readonly about: About;
    readonly query: z.ZodType<Query>;
    readonly found: RestBody & { readonly schema: z.ZodType<Answer> };
    /** The field of GraphQL with whose limit a query counts; null: with none. */
    countsWith?(query: Query): Parameters<FieldCheck>[0] | null;
    answer(asked: Asked<Query>): Promise<Answer | null>;
    /** The message of the 404. */
    readonly missing: string;
  },
): RouteShorthandOptionsWithHandler {
  const rest: RestDocument = {
    ...route.about,
    query: route.query,
    answers: { 200: route.found },
    refusals: [403, 404, 504],
  };
  const handler: Handler = async (request, reply) => {
    const opened = await deps.openRequest(request, reply);
    const caller = callerOf(opened);
    const read = route.query.safeParse(request.query);
    if (!read.success) return sendRefusal(reply, malformed(read.error));
    const field = route.countsWith?.(read.data) ?? null;
    if (field) await deps.checkField(field, opened);
    const { id } = address.parse(request.params);
    const asked = { caller, id, query: read.data, signal: opened.signal };
    const answer = await forReader(opened, () => route.answer(asked));
    if (!answer) throw new PublicError('NOT_FOUND', route.missing);
    // Exact numbers keep their digits here; Fastify's own serializer does not promise that.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  };
  return { config: { rest }, handler };
}

/** What `after_version` waits for; undefined where it was not given. */
export function waitFor(
  { hub, clock }: Deps,
  { query, signal }: Asked<{ after_version?: number | undefined }>,
): Wait | undefined {
  const { after_version: afterVersion } = query;
  return afterVersion === undefined ? undefined : { afterVersion, hub, clock, signal };
}
