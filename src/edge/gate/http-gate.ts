import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitDecision } from '../../platform/gate.js';
import { PresentedError } from '../errors.js';
import { JSON_TYPE, mediaTypeFor } from '../media-type.js';
import { GRAPHQL_PATH } from '../options.js';
import { limitHeaders, rejectionBody, rejectionExtensions } from './answer.js';
import type { RequestAuthentication } from './authentication.js';
import { Rejected } from './rate-limit-check.js';

/** As nginx logs a request whose client closed the connection: nobody reads the answer. */
const CLIENT_CLOSED_REQUEST = 499;
/** From here on, reading a body, or a socket's message, is work. */
export const LARGE_BODY_BYTES = 32_768;

/**
 * Checks the rate limits of every route but the operational ones: a refused request gets 429 and nothing else runs; any other
 * answer has the limits' headers. The GraphQL route checks by itself once its operation is known; here it is refused
 * only where a refusal is known without asking the counters, so that the body is not read. A request whose body is large,
 * or of unknown length, is charged before its body is read.
 */
export function registerGate(
  app: FastifyInstance,
  authentication: RequestAuthentication,
  documentationUrl: string,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const { gate } = request.routeOptions.config;
    if (gate === 'open') return;
    try {
      const { rateLimit } = (await authentication.authenticate(request, reply)).request;
      if (gate === 'operation') {
        rateLimit.refuseKnown();
        if (!isBulky(request)) return;
      }
      await rateLimit.chargeRequest();
      showLimits(reply, rateLimit.decision);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const isGraphQL = request.routeOptions.url === GRAPHQL_PATH;
      return sendRejection(reply, error, { documentationUrl, isGraphQL });
    }
  });
}

/** Sets the limits' headers. */
export function showLimits(reply: FastifyReply, decision: RateLimitDecision | undefined): void {
  if (decision) reply.headers(limitHeaders(decision));
}

/** Answers 429 with the body that `rejectionBody` makes; GraphQL clients find the same in `errors` beside it. */
export function sendRejection(
  reply: FastifyReply,
  rejected: Rejected,
  { documentationUrl, isGraphQL }: { documentationUrl: string; isGraphQL: boolean },
): FastifyReply {
  const { decision } = rejected;
  if (decision.outcome === 'CANCELLED') return reply.code(CLIENT_CLOSED_REQUEST).send();
  const body = rejectionBody(decision, documentationUrl);
  const errors = isGraphQL && [rejectionError(rejected, documentationUrl)];
  return reply
    .code(429)
    .headers(limitHeaders(decision))
    .type(isGraphQL ? mediaTypeFor(reply.request) : JSON_TYPE)
    .send(JSON.stringify(errors ? { errors, ...body } : body));
}

/** A rejection as a GraphQL error. */
export function rejectionError({ decision, queryCost }: Rejected, documentationUrl: string): PresentedError {
  const { message } = rejectionBody(decision, documentationUrl).error;
  return new PresentedError(message, rejectionExtensions(decision, queryCost, documentationUrl));
}

function isBulky({ method, headers }: FastifyRequest): boolean {
  const isSmall = Number(headers['content-length']) <= LARGE_BODY_BYTES;
  return method === 'POST' && !isSmall;
}
