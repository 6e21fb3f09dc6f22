import type { FastifyInstance, FastifyReply } from 'fastify';

/** Whether pages of an origin may call the API and open sockets. The server's own origin needs no permission. */
export type MayCall = (origin: string) => boolean;

/** This machine, whatever the port: where front ends are developed. */
const LOCAL = /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** @param development whether pages served by the caller's own machine may call besides */
export function createMayCall(allowedOrigins: readonly string[], development: boolean): MayCall {
  const allowed = new Set(allowedOrigins);
  return (origin) => allowed.has(origin) || (development && LOCAL.test(origin));
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** What clients send besides the headers that need no permission; the list is the same for every route. */
const REQUEST_HEADERS = [
  'authorization',
  'x-api-key',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'range',
  'x-correlation-id',
  'x-request-id',
  // GraphQL clients.
  'apollo-require-preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'x-apollo-operation-name',
  'x-apollo-operation-id',
  'x-apollo-operation-type',
  // W3C Trace Context and Baggage.
  'traceparent',
  'tracestate',
  'baggage',
].join(', ');

const EXPOSED_HEADERS = [
  'x-correlation-id',
  'retry-after',
  'etag',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-policy',
  'x-ratelimit-outcome',
  'ratelimit',
  'ratelimit-policy',
].join(', ');

/**
 * CORS: answers the preflights of origins that may call, and lets their pages read every answer.
 */
export function answerOrigins(app: FastifyInstance, mayCall: MayCall): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !mayCall(origin)) return done();
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method === 'OPTIONS') answerPreflight(reply);
    else done();
  });
}

function answerPreflight(reply: FastifyReply): void {
  reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', '7200')
    .send();
}
