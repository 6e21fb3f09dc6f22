import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { FastifyRequest } from 'fastify';
import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { Logger } from '../../platform/logging/logger.js';
import { type Masking, PresentedError } from '../errors.js';
import { Rejected } from '../gate/rate-limit-check.js';
import type { EdgeRequest } from '../options.js';
import type { Documents, Operation } from './documents.js';
import type { Execution } from './execution.js';

/** What the route passes to the executor through Apollo, and what the executor returns beside Apollo's own result. */
export class ExecutorContext {
  /**
   * Filled by the executor: `rejected` where a rate limit refused the operation, upon which Apollo's answer is dropped; and
   * the errors of execution. An object of its own, since Apollo makes a copy of the context.
   */
  readonly outcome: { rejected?: Rejected; errors?: readonly GraphQLError[] | undefined } = {};

  constructor(
    /** Absent where the request names no document: Apollo refuses it before it executes anything. */
    readonly operation: Operation | undefined,
    readonly request: EdgeRequest,
  ) {}
}

/** The only request headers that Apollo's handling of HTTP looks at. */
const APOLLO_HEADERS = ['content-type', 'accept', 'x-apollo-operation-name', 'apollo-require-preflight'];

/** Apollo for the protocol of GraphQL over HTTP: documents are prepared before it, and executed by our own executor. */
export function createApollo(options: {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly execution: Execution;
  readonly masking: Masking;
  readonly logger: Logger;
}): ApolloServer<ExecutorContext> {
  const { schema, documents, execution, masking, logger } = options;
  return new ApolloServer<ExecutorContext>({
    gateway: {
      load: () =>
        Promise.resolve({ executor: ({ context, request }) => run(execution, context, request.variables) }),
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => undefined;
      },
      stop: () => Promise.resolve(),
    },
    documentStore: {
      get: (key) => Promise.resolve(documents.byHash(key.slice(key.lastIndexOf(':') + 1))),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(true),
    },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    introspection: true, // preparing a document decides, for both transports
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger,
    stringifyResult: (result) => JSON.stringify(result),
    // Execution presents its errors itself; what comes here raw is Apollo's own, about the request.
    formatError: (_, error) => {
      const { message, locations, path, extensions } = masking.present(error, { logger });
      const { http: _marker, ...shown } = extensions;
      return { message, ...(locations && { locations }), ...(path && { path }), extensions: shown };
    },
  });
}

/**
 * The request as Apollo wants it: an empty `operationName` names no operation, as everywhere here, and a persisted document
 * stands in it by its text.
 */
export function toApollo(request: FastifyRequest, source: string | undefined): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const name of APOLLO_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const question = request.url.indexOf('?');
  const search = question < 0 ? '' : request.url.slice(question).replace(/([?&])operationName=(?=&|$)/, '$1');
  const isByUrl = request.method === 'GET' && source !== undefined && !/[?&]query=[^&]/.test(search);
  return {
    method: request.method,
    headers,
    body: bodyFor(request.body, source),
    search: isByUrl ? `${search || '?'}&query=${encodeURIComponent(source)}` : search,
  };
}

function bodyFor(body: unknown, source: string | undefined): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { operationName, query } = body as Record<string, unknown>;
  return {
    ...body,
    ...(operationName === '' && { operationName: null }),
    ...(source !== undefined && !query && { query: source }),
  };
}

async function run(
  execution: Execution,
  context: object,
  variables: Record<string, unknown> | undefined,
): Promise<ExecutionResult> {
  if (!(context instanceof ExecutorContext) || !context.operation)
    throw new Error('an unprepared request reached execution');
  try {
    const { result, refused } = await execution.answerOverHttp(context.operation, variables, context.request);
    context.outcome.errors = result.errors;
    return refused ? { errors: result.errors?.map((error) => withStatus(400, error)) ?? [] } : result;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    context.outcome.rejected = error;
    return {};
  }
}

/** Sets the marker by which Apollo chooses the status of its answer. */
function withStatus(
  status: number,
  { message, extensions, path, locations }: PresentedError,
): PresentedError {
  return new PresentedError(message, { ...extensions, http: { status } }, { path, locations });
}
