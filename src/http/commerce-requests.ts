import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Accepted, Commerce, Wait } from '../domains/commerce/index.js';
import type { OpenRequest } from '../edge/index.js';
import { type Caller, callerOf } from '../platform/caller.js';
import type { Clock } from '../platform/clock.js';
import { PublicError, type Result } from '../platform/errors.js';
import type { WakeUpHub } from '../platform/wake-ups.js';
import { sendRefusal, statusOf } from './commerce-refusals.js';
import { malformed } from './malformed.js';

/** What the routes of commerce work with. */
export interface Deps {
  readonly commerce: Commerce;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  readonly openRequest: OpenRequest;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Command = { readonly commandId?: string | null | undefined };

/** What the address names, under the name that every route gives it; empty where it names nothing. */
const address = z.object({ id: z.string().default('') });

/**
 * Serves a command: reads its body, takes the header `Idempotency-Key` for its id where the body has none, and
 * answers what was accepted, or the refusal.
 */
export const commandRoute =
  <Body extends Command>(
    deps: Deps,
    route: {
      readonly body: z.ZodType<Body>;
      /** The input field that the address fills; null where it fills none. */
      readonly addressed: string | null;
      run(caller: Caller, body: Body, id: string): Promise<Result<Accepted>>;
      readonly status: 201 | 202;
      answer(accepted: Accepted): object;
    },
  ): Handler =>
  async (request, reply) => {
    const caller = callerOf(await deps.openRequest(request, reply));
    const read = route.body.safeParse(request.body);
    if (!read.success) return sendRefusal(reply, 400, malformed(read.error));
    const commandId = read.data.commandId ?? request.headers['idempotency-key']?.toString();
    const { id } = address.parse(request.params);
    const result = await route.run(caller, { ...read.data, commandId }, id);
    if (result.ok) return reply.code(route.status).send(route.answer(result.value));
    const refusal = result.errors[0]!;
    return sendRefusal(reply, statusOf(refusal, route.addressed), refusal);
  };

/** What a command on something that was there answers. */
export const versionOf = ({ version }: Accepted): object => ({ version });

interface Asked<Query> {
  readonly caller: Caller;
  readonly id: string;
  readonly query: Query;
  readonly signal: AbortSignal;
}

/** Serves a query: 404 where it finds nothing. */
export const queryRoute =
  <Query>(
    deps: Deps,
    route: {
      readonly query: z.ZodType<Query>;
      answer(asked: Asked<Query>): Promise<object | null>;
      /** What is said where there is nothing. */
      readonly missing: string;
    },
  ): Handler =>
  async (request, reply) => {
    const opened = await deps.openRequest(request, reply);
    const caller = callerOf(opened);
    const read = route.query.safeParse(request.query);
    if (!read.success) return sendRefusal(reply, 400, malformed(read.error));
    const { id } = address.parse(request.params);
    const answer = await route.answer({ caller, id, query: read.data, signal: opened.signal });
    if (!answer) throw new PublicError('NOT_FOUND', route.missing);
    // Exact numbers keep their digits here; Fastify's own serializer does not promise that.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  };

/** What `after_version` waits for; undefined where it was not given. */
export function waitFor(
  { hub, clock }: Deps,
  { query, signal }: Asked<{ after_version?: number | undefined }>,
): Wait | undefined {
  const { after_version: afterVersion } = query;
  return afterVersion === undefined ? undefined : { afterVersion, hub, clock, signal };
}
