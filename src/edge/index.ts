import fastify from 'fastify';
import { createMasking } from './errors.js';
import { createRequestAuthentication } from './gate/authentication.js';
import { createClientAddress } from './gate/client-address.js';
import { registerGate } from './gate/http-gate.js';
import { openGate } from './gate/rate-limit-check.js';
import { collectEndpoints } from './gate/request-endpoint.js';
import { traced } from './gate/traced-gate.js';
import { defaultLimits } from './graphql/document-limits.js';
import { createDocuments } from './graphql/documents.js';
import { createExecution } from './graphql/execution.js';
import { KeptPlans } from './graphql/kept-plans.js';
import { createPersistedDocuments } from './graphql/persisted-documents.js';
import { registerGraphQLRoute } from './graphql/route.js';
import { boundAnswers } from './http/bound-answers.js';
import { createMayCall } from './http/cors.js';
import { Drain } from './http/drain.js';
import { registerOperationalRoutes, registerPublicProbes } from './http/operational-routes.js';
import { createHttpServer, createNotFound } from './http/server.js';
import { answerUnrouted, watchMethods } from './http/unrouted.js';
import { createEdgeMetrics } from './metrics.js';
import { defaultSocketLimits, type EdgeOptions } from './options.js';
import { attachSockets } from './socket/server.js';

export type { Gate, RateLimitDecision } from '../platform/gate.js';
export { operationCost } from './graphql/cost.js';
export { type DocumentLimits, defaultLimits } from './graphql/document-limits.js';
export { readPersistedDocuments } from './graphql/persisted-documents.js';
export { answerLast } from './http/last-answer.js';
export { registerOperationalRoutes } from './http/operational-routes.js';
export type { EdgeOptions, EdgeRequest, OpenRequest } from './options.js';
export { snakeCase } from './text.js';

/** RFC 6585 says what 429 means. */
const DOCUMENTATION_URL = 'https://www.rfc-editor.org/rfc/rfc6585#section-4';

const LOCAL = { host: '127.0.0.1', port: 0 };

export type Edge = Awaited<ReturnType<typeof createEdge>>;

/**
 * One port for everything that comes in: GraphQL over HTTP and WebSocket at `/graphql` under the same rules,
 * the operational routes, and whatever plain routes the caller adds.
 */
export async function createEdge<Ctx>(options: EdgeOptions<Ctx>) {
  const { schema, authenticator, logger, allowedOrigins, development, clock, ids } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = createEdgeMetrics(options.metrics);
  const masking = createMasking({ ids, suggestions: development, onMasked: metrics.masked });
  const plans = new KeptPlans({
    onRefused: (err) => logger.warn({ err }, 'code may not be generated: large answers take longer'),
  });
  const documents = createDocuments({ schema, limits, introspection: development, masking, metrics, plans });
  const persisted = createPersistedDocuments({
    documents: options.persistedDocuments?.documents ?? new Map(),
    onlyPersisted: options.persistedDocuments?.only ?? false,
    masking,
    metrics,
  });
  const execution = createExecution({ ...options, limits, masking, metrics });

  const drain = new Drain();
  let closing = false;
  const gate = traced(options.gate ?? (() => openGate));
  const documentationUrl = options.documentationUrl ?? DOCUMENTATION_URL;
  const addressOf = createClientAddress(options.proxies ?? { trustedProxies: [] });
  const mayCall = createMayCall(allowedOrigins, development);
  const notFound = createNotFound(options.notFoundPage);
  const app = await createHttpServer({
    mayCall,
    notFound,
    development,
    logger,
    ids,
    masking,
    documentationUrl,
    drain,
  });
  const methodsOf = watchMethods(app);
  const endpoints = collectEndpoints(app, schema);
  const authentication = createRequestAuthentication(app, { authenticator, gate, addressOf, logger });
  registerGate(app, authentication, documentationUrl);
  answerUnrouted(app, methodsOf, notFound);
  const { readiness, operationsApart } = options;
  const operational = { readiness, metrics: options.metrics, draining: () => drain.hasBegun, logger };
  const operations = operationsApart && fastify();
  if (operations) {
    registerOperationalRoutes(operations, operational);
    registerPublicProbes(app, { ...operational, ...operationsApart });
  } else registerOperationalRoutes(app, operational);
  let operationsUrl: string | undefined;
  app.addHook('onResponse', (_request, _reply, done) => {
    // A connection kept alive after its last answer would hold up closing.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  boundAnswers(app, limits.maxResponseBytes);
  await options.routes?.(app, authentication.openRequest);
  const stopGraphQL = await registerGraphQLRoute(app, {
    schema,
    documents,
    persisted,
    execution,
    masking,
    authentication,
    documentationUrl,
    logger,
  });
  const sockets = attachSockets(app.server, {
    limits: options.sockets ?? defaultSocketLimits,
    schema,
    documents,
    persisted,
    execution,
    masking,
    metrics,
    authenticator,
    gate,
    addressOf,
    documentationUrl,
    mayCall,
    logger,
    clock,
    ids,
  });
  return {
    app,
    /** Every endpoint whose rate limits are checked, as requests name it, without those that have no route. */
    endpoints: endpoints.gated,
    /** The routes without a rate-limit check, named alike. */
    openRoutes: endpoints.open,
    /** Where the operational routes are, where they are apart and the edge listens. */
    get operationsUrl(): string | undefined {
      return operationsUrl;
    },
    /**
     * Starts to answer; port 0 takes a free one. Resolves with the URL.
     *
     * @param at.operations where the operational routes are, where they are apart; by default only this machine reaches them
     */
    async listen(at: {
      host: string;
      port: number;
      operations?: { host: string; port: number | undefined };
    }): Promise<string> {
      const { host, port, operations: own = LOCAL } = at;
      operationsUrl = await operations?.listen({ host: own.host, port: own.port ?? 0 });
      return app.listen({ host, port });
    },
    /**
     * Announces the end, and serves on: `/readyz` answers 503, and the answer to the newest request of each connection says
     * `Connection: close`, so that each client that is busy goes elsewhere with its next request. For as long as load
     * balancers need to notice.
     */
    announceEnd(): void {
      drain.begin();
    },
    /**
     * Answers not ready, accepts nothing new, closes the sockets (1001), lets requests in flight finish, then stops. Requests
     * on connections that are still open are served too.
     * Sockets that do not answer are cut after 2 s; requests have as long as they need.
     */
    async close(): Promise<void> {
      drain.begin();
      closing = true;
      await Promise.all([sockets.close(), app.close()]);
      await stopGraphQL();
      await operations?.close();
    },
  };
}
