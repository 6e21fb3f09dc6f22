import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Config } from './config.js';
import { openHub, openSubscriber, type RequestContext, startApp } from './context.js';
import { type FieldLimiter, openLimits } from './domains/limits/index.js';
import { createEdge, type EdgeRequest, readPersistedDocuments } from './edge/index.js';
import { registerRoutes } from './http/routes.js';
import { openWeb } from './http/web/index.js';
import { OperationContext } from './operation-context.js';
import { findApiKeyIn, noteApiKeyUseIn } from './platform/auth/api-keys.js';
import { createAuthenticator } from './platform/auth/auth.js';
import { drainOnSignal } from './platform/process/shutdown.js';
import { createLoaders } from './resolvers/loaders.js';
import { buildApiSchema } from './schema/build.js';
import { createFieldCheck } from './schema/rate-limit-directive.js';

/** The rules that a deployment without RATE_LIMIT_RULES uses. */
const SHIPPED_RULES = fileURLToPath(new URL('../rules/default.yaml', import.meta.url));

/** Starts an api process: HTTP, GraphQL and WebSocket on one port. Resolves with its URL once it answers. */
export async function runApi(config: Config): Promise<string> {
  // V8 keeps every source that it compiled at run time, long after nobody holds the function: clients would fill the heap by
  // documents that differ in an alias.
  setFlagsFromString('--no-compilation-cache');
  const app = await startApp(config, 'api');
  const { logger } = app;
  const hub = openHub(app);

  function createContext(request: EdgeRequest): RequestContext | Promise<RequestContext> {
    const context = new OperationContext(request, app, hub, limits, createLoaders(app, request.viewer));
    const signedIn = request.viewer ? app.feed.signIn(request.viewer.userId) : undefined;
    return signedIn ? signedIn.then(() => context) : context;
  }

  // The limits are opened once the edge knows every endpoint, and before it listens.
  const fields: FieldLimiter = { consume: (use) => limits.fields.consume(use) };
  const schema = await buildApiSchema({ fields });
  const checkField = createFieldCheck(schema, fields);
  const web = openWeb({ config, logger });
  const edge = await createEdge({
    schema,
    authenticator: createAuthenticator(config.auth, app.clock, {
      findApiKey: findApiKeyIn(app.postgres),
      noteApiKeyUse: noteApiKeyUseIn(app.postgres, app.clock),
    }),
    createContext,
    ...(app.hasReplicas && {
      onWritten: async ({ viewer }: EdgeRequest) => {
        if (viewer) await app.replicas.noteWrite(viewer.userId);
      },
    }),
    logger,
    allowedOrigins: config.allowedOrigins,
    development: config.environment !== 'production',
    readiness: app.readiness,
    metrics: app.metrics,
    ...(config.metricsPort !== undefined && { operationsApart: { readyz: config.publicReadyz } }),
    clock: app.clock,
    ids: app.ids,
    gate: () => limits.limiter,
    proxies: config,
    documentationUrl: `${config.baseUrl}/docs/limits`,
    limits: { maxResponseBytes: config.maxResponseBytes },
    routes: (fastify, openRequest) => registerRoutes(fastify, { app, hub, openRequest, checkField, web }),
    ...(web && { notFoundPage: web.notFoundPage }),
    sockets: config.sockets,
    persistedDocuments: {
      documents: await readPersistedDocuments([...config.persistedDocuments, ...(web?.documentFiles ?? [])]),
      only: config.onlyPersistedDocuments,
    },
  });
  const opening = openLimits({
    ...app,
    source: config.limits.rules ?? SHIPPED_RULES,
    endpoints: edge.endpoints,
    redisUrls: config.limits.redisUrls,
    timeoutMs: config.limits.timeoutMs,
    server: app.countersServer,
    subscriber: openSubscriber(app, 'the connection of the rules'),
  });
  process.on('SIGHUP', () => void opening.then(({ rules }) => rules.lookAgain()));
  const limits = await opening;
  drainOnSignal(
    logger,
    config.shutdownGraceMs,
    [() => edge.close(), () => hub.close(), () => limits.close(), () => app.close()],
    { announce: () => edge.announceEnd(), delayMs: config.shutdownDelayMs },
  );
  const { host, port, metricsHost, metricsPort } = config;
  const url = await edge.listen({ host, port, operations: { host: metricsHost, port: metricsPort } });
  if (edge.operationsUrl)
    logger.info({ url: edge.operationsUrl }, 'metrics and readiness have a port of their own');
  return url;
}
