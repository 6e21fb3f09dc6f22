import type { FastifyInstance } from 'fastify';
import { createClientAddress } from './client-address.js';
import { defaultLimits } from './document-limits.js';
import { createDocuments } from './documents.js';
import { createMasking } from './errors.js';
import { createExecution } from './execution.js';
import { registerGraphiQL } from './graphiql.js';
import { registerGate } from './http-gate.js';
import { registerGraphQLRoute } from './http-graphql.js';
import { createHttpServer } from './http-server.js';
import { createEdgeMetrics } from './metrics.js';
import { registerOperationalRoutes } from './operational-routes.js';
import type { EdgeOptions } from './options.js';
import { openGate } from './passage.js';
import { createReception } from './requests.js';
import { createSparingGate } from './sparing-gate.js';
import { attachSockets } from './websocket.js';

export { operationCost } from './cost.js';
export { type DocumentLimits, defaultLimits } from './document-limits.js';
export type { Gate, Verdict } from './gate.js';
export { registerOperationalRoutes } from './operational-routes.js';
export type { EdgeOptions, EdgeRequest, OpenRequest } from './options.js';

/** RFC 6585 says what 429 means. */
const DOCUMENTATION_URL = 'https://www.rfc-editor.org/rfc/rfc6585#section-4';

export interface Edge {
  readonly app: FastifyInstance;
  /** Starts to answer; port 0 takes a free one. Resolves with the URL. */
  listen(at: { host: string; port: number }): Promise<string>;
  /**
   * Says not ready, takes nothing new, tells the sockets (1001), lets requests in flight finish, then stops.
   * Sockets that do not answer are cut after 2 s; requests have as long as they need.
   */
  close(): Promise<void>;
}

/**
 * One port for everything that comes in: GraphQL over HTTP and WebSocket at `/graphql` under the same rules,
 * the operational routes, and whatever plain routes the caller adds.
 */
export async function createEdge<Ctx>(options: EdgeOptions<Ctx>): Promise<Edge> {
  const { schema, authenticator, createContext, logger, allowedOrigins, development, clock, ids } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = createEdgeMetrics(options.metrics);
  const masking = createMasking({ ids, suggestions: development, onMasked: metrics.masked });
  const documents = createDocuments({ schema, limits, introspection: development, masking, metrics });
  const execution = createExecution({ schema, limits, masking, metrics, createContext });

  let draining = false;
  const gate = options.gate ? createSparingGate(options.gate) : openGate;
  const documentationUrl = options.documentationUrl ?? DOCUMENTATION_URL;
  const addressOf = createClientAddress(options.proxies ?? { trustedProxies: [] });
  const app = createHttpServer({ allowedOrigins, logger, ids, masking, documentationUrl });
  const reception = createReception(app, { authenticator, gate, addressOf, logger });
  registerGate(app, reception, documentationUrl);
  registerOperationalRoutes(app, {
    readiness: options.readiness,
    metrics: options.metrics,
    draining: () => draining,
    logger,
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    // A connection kept alive after its last answer would hold up closing.
    if (draining) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  if (development) registerGraphiQL(app);
  await options.routes?.(app, reception.openRequest);
  const stopGraphQL = await registerGraphQLRoute(app, {
    schema,
    documents,
    execution,
    masking,
    reception,
    documentationUrl,
    logger,
  });
  const sockets = attachSockets(app.server, {
    schema,
    documents,
    execution,
    masking,
    metrics,
    authenticator,
    gate,
    addressOf,
    documentationUrl,
    allowedOrigins,
    logger,
    clock,
    ids,
  });
  return {
    app,
    listen: (at) => app.listen(at),
    async close() {
      draining = true;
      await Promise.all([sockets.close(), app.close()]);
      await stopGraphQL();
    },
  };
}
