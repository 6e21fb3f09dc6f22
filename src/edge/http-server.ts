import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { PublicError, type PublicErrorCode } from '../platform/errors.js';
import type { Ids } from '../platform/ids.js';
import type { Logger } from '../platform/logger.js';
import { cutSlowReaders } from './answer-deadline.js';
import { cutSlowBodies } from './body-deadline.js';
import type { Masking } from './errors.js';
import { sendRejection } from './http-gate.js';
import { roundsANumber, WOULD_BE_ROUNDED } from './json.js';
import { GRAPHQL_PATH } from './options.js';
import { Rejected } from './passage.js';
import { correlationIdOf } from './requests.js';
import { holdsStorableText, NOT_STORABLE } from './text.js';

const MAX_BODY_BYTES = 1_048_576;
/** For all of a request to arrive, and for its headers. */
const REQUEST_TIMEOUT_MS = 30_000;
/** For a client to take something of its answer. */
const ANSWER_TIMEOUT_MS = 60_000;
/** For all of a request whose route takes large bodies. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;
/** Of a path, in a log line. */
const LOGGED_PATH_LENGTH = 256;
/** One parameter in a path; the longest id has 200 characters. */
const MAX_PARAMETER_LENGTH = 1_024;

const statusOf: Record<PublicErrorCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
  BAD_CURSOR: 400,
  CURSOR_EXPIRED: 400,
  AS_OF_IN_FUTURE: 400,
  AS_OF_TOO_EARLY: 404,
  RATE_LIMIT_EXCEEDED: 429,
  READ_MODEL_TIMEOUT: 504,
  SERVICE_UNAVAILABLE: 503,
};

/** An error as an HTTP answer: status, stable code, and a message that a client may see. */
export interface HttpError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Where the fault is, in REST's names. */
  readonly path?: readonly string[];
}

/**
 * The Fastify instance: correlation ids in and out, one log line a request (debug; info from status 400 on),
 * CORS for the allowed origins, bodies up to 1 MiB without numbers that parsing rounds, and errors as
 * `{"error":{"code","message","path"}}`.
 */
export function createHttpServer(options: {
  allowedOrigins: readonly string[];
  logger: Logger;
  ids: Ids;
  masking: Masking;
  documentationUrl: string;
  /** For all of a body to arrive; 30 s unless told. */
  bodyTimeoutMs?: number;
}): FastifyInstance {
  const { allowedOrigins, logger, ids, masking, documentationUrl } = options;
  const { bodyTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS },
    clientErrorHandler: refuseBroken,
    genReqId: (request) => correlationIdOf(request.headers, ids),
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    frameworkErrors({ statusCode: status = 400 }, request, reply) {
      // No hook runs for a URL that cannot be read.
      reply.header('x-correlation-id', request.id);
      const message = status === 414 ? 'A part of the path is too long' : 'The URL is not well-formed';
      sendRestError(reply, { status, code: 'BAD_USER_INPUT', message });
    },
  });
  cutSlowBodies(app, bodyTimeoutMs);
  cutSlowReaders(app, ANSWER_TIMEOUT_MS);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    parseJson(request, text, (error, body) => {
      if (!error && roundsANumber(text)) done(new PublicError('BAD_USER_INPUT', WOULD_BE_ROUNDED));
      else done(error, body);
    });
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-correlation-id', request.id);
    const { origin } = request.headers;
    if (origin === undefined || !allowedOrigins.includes(origin)) return done();
    allowOrigin(reply, origin);
    if (request.method !== 'OPTIONS') return done();
    reply.code(204).send();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    // GraphQL looks at its variables itself, once they are parsed wherever they came from.
    if (request.routeOptions.url === GRAPHQL_PATH) return done();
    const { params, query, body } = request;
    if (holdsStorableText([params, query, body])) return done();
    done(new PublicError('BAD_USER_INPUT', NOT_STORABLE));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 400 ? 'info' : 'debug';
    if (logger.isLevelEnabled(level)) {
      const { id: correlationId, method } = request;
      const path = request.url.split('?', 1)[0]?.slice(0, LOGGED_PATH_LENGTH);
      logger[level](
        { correlationId, method, path, status: reply.statusCode, ms: reply.elapsedTime },
        'request',
      );
    }
    done();
  });
  // CORS preflights of allowed origins end in the hook above; it runs only where a route matches.
  app.options('/*', (request, reply) => notFound(request, reply));
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Rejected) return sendRejection(reply, error, { documentationUrl, isGraphQL: false });
    return sendRestError(reply, describeHttpError(error, request, { masking, logger }));
  });
  return app;
}

const brokenStatus: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what Node could not read as a request to its end. No hook runs for it. */
function refuseBroken({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && code !== 'ECONNRESET') {
    const status = brokenStatus[code ?? ''] ?? 400;
    const message = 'The request is not well-formed, or it broke off';
    const body = JSON.stringify({ error: { code: 'BAD_USER_INPUT', message, path: null } });
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

/** What a client may know of an error that ended its request. Unexpected ones are logged under their id. */
export function describeHttpError(
  error: unknown,
  request: FastifyRequest,
  use: { masking: Masking; logger: Logger },
): HttpError {
  // A client that hangs up looks like a connection of ours that broke.
  if (error && error === request.raw.errored) {
    return { status: 400, code: 'BAD_USER_INPUT', message: 'The body broke off' };
  }
  if (error instanceof PublicError) {
    const { code, message, argument } = error;
    const path = argument && { path: argument.map(parameterName) };
    return { status: statusOf[code] ?? 400, code, message, ...path };
  }
  if (isFastifyError(error) && error.statusCode !== undefined && error.statusCode < 500) {
    const status = error.statusCode;
    return {
      status,
      code: codeOf(status),
      message: status === 400 ? 'The body is not valid JSON' : error.message,
    };
  }
  const { message, extensions } = use.masking.present(error, {
    logger: use.logger.child({ correlationId: request.id }),
  });
  if (extensions.code === 'SERVICE_UNAVAILABLE') return { status: 503, code: extensions.code, message };
  return { status: 500, code: 'INTERNAL_ERROR', message: `${message} ${extensions.errorId}` };
}

function sendRestError(reply: FastifyReply, error: HttpError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  const { code, message, path } = error;
  return reply.code(error.status).send({ error: { code, message, path: path ?? null } });
}

/** GraphQL's `asOf` is `as_of` in a query string. */
const parameterName = (argument: string): string =>
  argument.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function notFound(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?', 1)[0];
  sendRestError(reply, {
    status: 404,
    code: 'NOT_FOUND',
    message: `Nothing answers ${request.method} ${path}`,
  });
}

const EXPOSED_HEADERS =
  'x-correlation-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-ratelimit-policy, x-ratelimit-outcome, ratelimit, ratelimit-policy';

function allowOrigin(reply: FastifyReply, origin: string): void {
  reply
    .header('access-control-allow-origin', origin)
    .header('vary', 'Origin')
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS')
    .header(
      'access-control-allow-headers',
      'authorization, x-api-key, content-type, idempotency-key, x-correlation-id, x-request-id, apollo-require-preflight, x-apollo-operation-name',
    )
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    .header('access-control-max-age', '600');
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');

function codeOf(status: number): string {
  if (status === 413) return 'PAYLOAD_TOO_LARGE';
  if (status === 415) return 'UNSUPPORTED_MEDIA_TYPE';
  return 'BAD_USER_INPUT';
}
