import fastify, {
  errorCodes,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { PublicError, type PublicErrorCode, RateLimitExceeded } from '../../platform/errors.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logging/logger.js';
import { SHORTLY } from '../../platform/unavailable.js';
import type { Masking } from '../errors.js';
import { exceededBody, exceededHeaders } from '../gate/answer.js';
import { correlationIdOf } from '../gate/edge-request.js';
import { sendRejection } from '../gate/http-gate.js';
import { Rejected } from '../gate/rate-limit-check.js';
import { roundsANumber, WOULD_BE_ROUNDED } from '../json.js';
import { GRAPHQL_PATH } from '../options.js';
import { snakeCase, textFault } from '../text.js';
import { asksForSocket } from './asked-protocols.js';
import { refuseUnreadable } from './broken-requests.js';
import { compressAnswers } from './compression.js';
import { answerOrigins, type MayCall } from './cors.js';
import { answerDirectly } from './direct-answer.js';
import type { Drain } from './drain.js';
import { KeptBodies } from './kept-bodies.js';
import { answerLast } from './last-answer.js';
import { watchAnswers } from './open-answers.js';
import { securityHeaders } from './security-headers.js';
import { cutSlowBodies, cutSlowReaders } from './slow-clients.js';
import { traceRequests } from './trace-requests.js';

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
export const MAX_PARAMETER_LENGTH = 1_024;

const statusOf: Record<PublicErrorCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
  RESPONSE_TOO_LARGE: 400,
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
  /** Whole seconds; where trying again may help. */
  readonly retryAfter?: number;
}

/**
 * The Fastify instance: correlation ids in and out, one log line a request (debug; info from status 400 on),
 * CORS for origins that may call, security headers, bodies up to 1 MiB without numbers that parsing rounds, and errors as
 * `{"error":{"code","message","path"}}`.
 */
export async function createHttpServer(options: {
  mayCall: MayCall;
  notFound: NotFound;
  development: boolean;
  logger: Logger;
  ids: Ids;
  masking: Masking;
  documentationUrl: string;
  drain: Drain;
  /** For all of a body to arrive; 30 s by default. */
  bodyTimeoutMs?: number;
}): Promise<FastifyInstance> {
  const { mayCall, notFound, development, logger, ids, masking, documentationUrl, drain } = options;
  const { bodyTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const security = securityHeaders(development);
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // What came before its connection closed is served.
    return503OnClosing: false,
    http: { headersTimeout: REQUEST_TIMEOUT_MS, shouldUpgradeCallback: asksForSocket },
    clientErrorHandler: (error, socket) =>
      refuseUnreadable(error, socket, { ...security, 'x-correlation-id': ids.next() }),
    genReqId: (request) => correlationIdOf(request.headers, ids),
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    frameworkErrors({ statusCode: status = 400 }, request, reply) {
      // No hook runs for a URL that cannot be read.
      reply.headers(security).header('x-correlation-id', request.id);
      if (drain.closesBehind(request.raw)) reply.header('connection', 'close');
      const message = status === 414 ? 'A part of the path is too long' : 'The URL is not well-formed';
      sendRestError(reply, { status, code: 'BAD_USER_INPUT', message });
    },
  });
  app.server.prependListener('request', (request) => drain.arrived(request));
  watchAnswers(app.server);
  traceRequests(app);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!drain.isTooLate(request.raw)) return done();
    done(new PublicError('SERVICE_UNAVAILABLE', 'This connection ends: ask again on another one'));
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (drain.closesBehind(request.raw)) reply.header('connection', 'close');
    // So does Fastify on a body that is too large.
    if (reply.getHeader('connection') === 'close') {
      drain.endsBehind(request.raw);
      answerLast(request, reply);
    }
    done(null, payload);
  });
  cutSlowBodies(app, bodyTimeoutMs);
  cutSlowReaders(app, ANSWER_TIMEOUT_MS);
  answerDirectly(app, drain, ANSWER_TIMEOUT_MS);
  // Names of prototypes are refused where text is looked at, whatever way it came.
  const bodies = new KeptBodies();
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity') return done(encodedBody());
    const isGraphQL = request.routeOptions.url === GRAPHQL_PATH;
    const known = isGraphQL ? bodies.get(text) : undefined;
    if (known) return done(null, known);
    parseJson(request, text, (error, body) => {
      if (error) return done(error, body);
      if (roundsANumber(text)) return done(new PublicError('BAD_USER_INPUT', WOULD_BE_ROUNDED));
      done(null, isGraphQL ? bodies.keep(text, body) : body);
    });
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(security).header('x-correlation-id', request.id);
    // Of every answer: a cache that knew it of some only would give one origin's answer to another.
    reply.header('vary', 'Origin, accept-encoding');
    done();
  });
  answerOrigins(app, mayCall);
  app.addHook('preHandler', (request, _reply, done) => {
    // GraphQL looks at its variables itself, once they are parsed wherever they came from.
    if (request.routeOptions.url === GRAPHQL_PATH) return done();
    const { params, query, body } = request;
    const fault = textFault([params, query, body]);
    done(fault === undefined ? undefined : new PublicError('BAD_USER_INPUT', fault));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 400 ? 'info' : 'debug';
    if (logger.isLevelEnabled(level)) {
      const { id: correlationId, method } = request;
      const path = request.url.split('?', 1)[0]?.slice(0, LOGGED_PATH_LENGTH);
      const fields = { correlationId, method, path, status: reply.statusCode, ms: reply.elapsedTime };
      const write = (): void => logger[level](fields, 'request');
      if (request.span) request.span.run(write);
      else write();
    }
    done();
  });
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Rejected) return sendRejection(reply, error, { documentationUrl, isGraphQL: false });
    if (error instanceof RateLimitExceeded)
      return reply.code(429).headers(exceededHeaders(error)).send(exceededBody(error, documentationUrl));
    return sendRestError(reply, describeHttpError(error, request, { masking, logger }));
  });
  await compressAnswers(app);
  return app;
}

/** Decompressing would let a small body be a large one. */
const encodedBody = (): Error =>
  Object.assign(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(), {
    message: 'A body is sent without Content-Encoding',
  });

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
    const path = argument && { path: argument.map(snakeCase) };
    return { status: statusOf[code] ?? 400, code, message, ...path, ...laterIfAway(code) };
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
  if (extensions.code === 'SERVICE_UNAVAILABLE') {
    return { status: 503, code: extensions.code, message, retryAfter: Number(extensions.retryAfter) };
  }
  return { status: 500, code: 'INTERNAL_ERROR', message: `${message} ${extensions.errorId}` };
}

const laterIfAway = (code: PublicErrorCode): Pick<HttpError, 'retryAfter'> =>
  code === 'SERVICE_UNAVAILABLE' ? { retryAfter: SHORTLY.retryAfterSeconds } : {};

/** Sets the headers that belong to an error whatever its body looks like. */
export function headErrors(reply: FastifyReply, { status, retryAfter }: HttpError): void {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
}

export function sendRestError(reply: FastifyReply, error: HttpError): FastifyReply {
  headErrors(reply, error);
  const { code, message, path } = error;
  return reply.code(error.status).send({ error: { code, message, path: path ?? null } });
}

/** Answers a request for which there is nothing. */
export type NotFound = (request: FastifyRequest, reply: FastifyReply) => void;

/** @param page answers those who would rather read a page than JSON; returns whether it has */
export function createNotFound(
  page: (request: FastifyRequest, reply: FastifyReply) => boolean = () => false,
): NotFound {
  return (request, reply) => {
    if (page(request, reply)) return;
    const path = request.url.split('?', 1)[0];
    sendRestError(reply, {
      status: 404,
      code: 'NOT_FOUND',
      message: `Nothing answers ${request.method} ${path}`,
    });
  };
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');

function codeOf(status: number): string {
  if (status === 413) return 'PAYLOAD_TOO_LARGE';
  if (status === 415) return 'UNSUPPORTED_MEDIA_TYPE';
  return 'BAD_USER_INPUT';
}
