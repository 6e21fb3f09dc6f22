import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PresentedError } from '../errors.js';
import { JSON_TYPE, mediaTypeFor } from '../media-type.js';
import { GRAPHQL_PATH } from '../options.js';
import { limitHeaders, rejectionBody, rejectionExtensions } from './answer.js';
import type { Verdict } from './gate.js';
import { Rejected } from './passage.js';
import type { Reception } from './requests.js';

/** As nginx logs a request whose client closed the connection: nobody reads the answer. */
const CLIENT_CLOSED_REQUEST = 499;
/** From here on, reading a body is work. */
const LARGE_BODY_BYTES = 32_768;

/**
 * The gate in front of every route but the operational ones: 429 and nothing else runs, or the limits' headers on
 * whatever the route answers. The GraphQL route passes by itself once its operation is known; here it only meets
 * what is known to be refused already, so that an offender's body is never read. One whose body is large, or as large
 * as its sender likes, has to arrive before that is read.
 */
export function registerGate(app: FastifyInstance, reception: Reception, documentationUrl: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const { gate } = request.routeOptions.config;
    if (gate === 'open') return;
    try {
      const { passage } = (await reception.receive(request, reply)).request;
      if (gate === 'operation') {
        passage.foresee();
        if (!isBulky(request)) return;
      }
      await passage.arrive();
      showLimits(reply, passage.verdict);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const isGraphQL = request.routeOptions.url === GRAPHQL_PATH;
      return sendRejection(reply, error, { documentationUrl, isGraphQL });
    }
  });
}

/** Sets the limits' headers. */
export function showLimits(reply: FastifyReply, verdict: Verdict | undefined): void {
  if (verdict) reply.headers(limitHeaders(verdict));
}

/** Answers 429 with the document's body; GraphQL clients find the same in `errors` beside it. */
export function sendRejection(
  reply: FastifyReply,
  rejected: Rejected,
  { documentationUrl, isGraphQL }: { documentationUrl: string; isGraphQL: boolean },
): FastifyReply {
  const { verdict } = rejected;
  if (verdict.outcome === 'CANCELLED') return reply.code(CLIENT_CLOSED_REQUEST).send();
  const body = rejectionBody(verdict, documentationUrl);
  const errors = isGraphQL && [rejectionError(rejected, documentationUrl)];
  return reply
    .code(429)
    .headers(limitHeaders(verdict))
    .type(isGraphQL ? mediaTypeFor(reply.request) : JSON_TYPE)
    .send(JSON.stringify(errors ? { errors, ...body } : body));
}

/** A rejection as GraphQL says it. */
export function rejectionError({ verdict, queryCost }: Rejected, documentationUrl: string): PresentedError {
  const { message } = rejectionBody(verdict, documentationUrl).error;
  return new PresentedError(message, rejectionExtensions(verdict, queryCost, documentationUrl));
}

function isBulky({ method, headers }: FastifyRequest): boolean {
  const isSmall = Number(headers['content-length']) <= LARGE_BODY_BYTES;
  return method === 'POST' && !isSmall;
}
