import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { PublicError } from '../../platform/errors.js';
import type { Logger } from '../../platform/logging/logger.js';
import { type Masking, type PresentedError, waitFor } from '../errors.js';
import type { RequestAuthentication } from '../gate/authentication.js';
import { sendRejection, showLimits } from '../gate/http-gate.js';
import { Rejected } from '../gate/rate-limit-check.js';
import { describeHttpError, headErrors } from '../http/server.js';
import { acceptedType, mediaTypeFor } from '../media-type.js';
import { GRAPHQL_PATH } from '../options.js';
import { createApollo, ExecutorContext, toApollo } from './apollo.js';
import type { Documents } from './documents.js';
import type { Execution } from './execution.js';
import type { PersistedDocuments } from './persisted-documents.js';

/**
 * GraphQL over HTTP at `/graphql`: GET for queries, POST for queries and mutations. Resolves with what stops it.
 *
 * Documents are prepared here. Then Apollo keeps the protocol (methods, media types, CSRF, status codes) and
 * comes back through its gateway hook; but the plainest request, for which the protocol leaves nothing to
 * decide, is answered without it, since that costs as much again as executing a page.
 */
export async function registerGraphQLRoute(
  app: FastifyInstance,
  options: {
    schema: GraphQLSchema;
    documents: Documents;
    persisted: PersistedDocuments;
    execution: Execution;
    masking: Masking;
    authentication: RequestAuthentication;
    documentationUrl: string;
    logger: Logger;
  },
): Promise<() => Promise<void>> {
  const { documents, persisted, execution, masking, authentication, documentationUrl, logger } = options;
  const { openRequest } = authentication;
  const apollo = createApollo(options);
  await apollo.start();

  app.route({
    url: GRAPHQL_PATH,
    method: ['GET', 'POST'],
    config: { gate: 'operation' },
    async errorHandler(error, request, reply) {
      // A request that failed before its operation was known is charged all the same.
      const reason = await chargedOr(error, request, reply);
      if (reason instanceof Rejected)
        return sendRejection(reply, reason, { documentationUrl, isGraphQL: true });
      const described = describeHttpError(reason, request, { masking, logger });
      headErrors(reply, described);
      const { status, code, message, retryAfter } = described;
      const unreadable = code === 'BAD_USER_INPUT' && !(error instanceof PublicError);
      const graphqlCode = unreadable ? 'BAD_REQUEST' : code;
      const extensions = { code: graphqlCode, ...(retryAfter !== undefined && { retryAfter }) };
      return sendErrors(request, reply, status, [{ message, extensions }]);
    },
    async handler(request, reply) {
      const opened = await openRequest(request, reply);
      const { rateLimit } = opened;
      const members = membersOf(request);
      const looked = persisted.lookUp(members, opened.viewer);
      if (looked && !looked.ok) {
        await rateLimit.chargeRequest();
        return refuse(looked.error);
      }
      const asked = looked && askedFor(members, looked.source);
      // A known document is charged together with its request; an unknown one is charged before it is parsed and checked.
      const type = plainTypeOf(request);
      const known = asked && type && documents.known(asked.source, asked.operationName);
      if (!known) await rateLimit.chargeRequest();
      const prepared = known
        ? { ok: true as const, operation: known }
        : asked && documents.prepare(asked.source, asked.operationName);
      if (prepared && !prepared.ok) return refuse(prepared.error);
      if (prepared && type) {
        const { operation } = prepared;
        const { result, refused } = await execution.answerOverHttp(operation, asked?.variables, opened);
        showLimits(reply, rateLimit.decision);
        showRetryAfter(reply, result.errors);
        return reply
          .code(refused ? 400 : 200)
          .header('content-type', type)
          .sendText(JSON.stringify(result));
      }
      const executorContext = new ExecutorContext(prepared?.operation, opened);
      const answer = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: toApollo(request, asked?.source),
        context: () => Promise.resolve(executorContext),
      });
      if (executorContext.outcome.rejected) throw executorContext.outcome.rejected;
      reply.code(answer.status ?? 200);
      for (const [name, value] of answer.headers) reply.header(name, value);
      showLimits(reply, rateLimit.decision);
      showRetryAfter(reply, executorContext.outcome.errors);
      // Chunked answers belong to incremental delivery, which graphql 16 does not have.
      return answer.body.kind === 'complete' ? reply.send(answer.body.string) : reply.code(406).send();

      function refuse(error: PresentedError): FastifyReply {
        showLimits(reply, rateLimit.decision);
        return sendErrors(request, reply, 400, [error]);
      }
    },
  });
  return () => apollo.stop();

  async function chargedOr(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (error instanceof Rejected) return error;
    try {
      const { rateLimit } = (await authentication.authenticate(request, reply)).request;
      await rateLimit.chargeRequest();
      showLimits(reply, rateLimit.decision);
      return error;
    } catch (rejected) {
      return rejected;
    }
  }
}

interface Asked {
  readonly source: string;
  readonly operationName: string | undefined;
  /** Only looked at where Apollo does not answer. */
  readonly variables: Record<string, unknown> | undefined;
}

const membersOf = ({ method, query, body }: FastifyRequest): Record<string, unknown> => {
  const members = method === 'GET' ? query : body;
  return isRecord(members) ? members : {};
};

const askedFor = ({ operationName, variables }: Record<string, unknown>, source: string): Asked => ({
  source,
  operationName: typeof operationName === 'string' ? operationName : undefined,
  variables: isRecord(variables) ? variables : undefined,
});

/**
 * What to answer as, where nothing else about the request needs Apollo: a JSON POST (which a browser sends across origins
 * only after a preflight) of well-formed members. Real clients send more than a plain one, all of it to be overlooked:
 * lists of media types, and `extensions` that name the client's library or repeat the document's hash.
 */
function plainTypeOf({ method, headers, body }: FastifyRequest): string | undefined {
  const isPlain =
    method === 'POST' &&
    /^application\/json *(;|$)/.test(headers['content-type'] ?? '') &&
    isRecord(body) &&
    (body.variables == null || isRecord(body.variables)) &&
    (body.operationName == null || typeof body.operationName === 'string') &&
    (body.extensions == null || isRecord(body.extensions));
  return isPlain ? acceptedType(headers.accept) : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says when a dependency that is away may be back, whatever else the answer has. */
function showRetryAfter(reply: FastifyReply, errors: readonly GraphQLError[] | undefined): void {
  const seconds = errors && waitFor(errors);
  if (seconds !== undefined) reply.header('retry-after', String(seconds));
}

function sendErrors(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  errors: readonly { message: string; extensions: Record<string, unknown> }[],
): FastifyReply {
  return reply.code(status).header('content-type', mediaTypeFor(request)).send(JSON.stringify({ errors }));
}
