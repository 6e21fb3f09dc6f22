import { fileURLToPath } from 'node:url';
import { OperationContext, openApp, type RequestContext } from './context.js';
import { openLimits } from './domains/limits/index.js';
import { createEdge, type EdgeRequest } from './edge/index.js';
import { registerCommerceRoutes } from './http/commerce.js';
import { registerFeedRoutes } from './http/feed.js';
import { registerMediaRoutes } from './http/feed-media.js';
import { registerPostRoutes } from './http/feed-posts.js';
import { registerGuides } from './http/guides.js';
import { registerNotificationRoutes } from './http/notifications.js';
import { findApiKeyIn } from './platform/api-keys.js';
import { createAuthenticator } from './platform/auth.js';
import type { Config } from './platform/config.js';
import { openBlockingRedis } from './platform/redis.js';
import { drainOnSignal } from './platform/shutdown.js';
import { createWakeUpHub } from './platform/wake-ups.js';
import { createLoaders } from './resolvers/loaders.js';
import { buildApiSchema } from './schema/build.js';

/** The document's illustrative set. */
const SHIPPED_RULES = fileURLToPath(new URL('../rules/default.yaml', import.meta.url));

/** Starts an api process: HTTP, GraphQL and WebSocket on one port. Resolves with its URL once it answers. */
export async function runApi(config: Config): Promise<string> {
  const app = openApp(config, 'api');
  await app.assertUsable();
  const { logger } = app;
  const onHubError = (error: Error): void => logger.warn({ err: error }, 'the wake-up connection failed');
  const hub = createWakeUpHub(openBlockingRedis(config.redisUrl, onHubError), logger);
  void app.notifications.keepFresh(hub);

  const opening = openLimits({
    ...app,
    source: config.limits.rules ?? SHIPPED_RULES,
    redisUrls: config.limits.redisUrls,
    timeoutMs: config.limits.timeoutMs,
    ear: openBlockingRedis(config.redisUrl, onHubError),
  });
  process.on('SIGHUP', () => void opening.then(({ rules }) => rules.lookAgain()));
  const limits = await opening;

  function createContext(request: EdgeRequest): RequestContext | Promise<RequestContext> {
    const context = new OperationContext(request, app, hub, limits, createLoaders(app, request.viewer));
    const signedIn = request.viewer ? app.feed.signIn(request.viewer.userId) : undefined;
    return signedIn ? signedIn.then(() => context) : context;
  }

  const edge = await createEdge({
    schema: await buildApiSchema({ fields: limits.fields }),
    authenticator: createAuthenticator(config.auth, app.clock, { findApiKey: findApiKeyIn(app.postgres) }),
    createContext,
    logger,
    allowedOrigins: config.allowedOrigins,
    development: config.environment !== 'production',
    readiness: app.readiness,
    metrics: app.metrics,
    clock: app.clock,
    ids: app.ids,
    // The edge's port and the limiter say the same in their own words; what was charged passes through unread.
    gate: limits.limiter,
    proxies: config,
    documentationUrl: `${config.baseUrl}/docs/limits`,
    async routes(fastify, openRequest) {
      registerGuides(fastify);
      await registerMediaRoutes(fastify, { app, openRequest });
      registerPostRoutes(fastify, { app, openRequest });
      registerFeedRoutes(fastify, { app, openRequest });
      registerNotificationRoutes(fastify, { app, openRequest });
      registerCommerceRoutes(fastify, { commerce: app.commerce, clock: app.clock, hub, openRequest });
    },
  });
  drainOnSignal(logger, config.shutdownGraceMs, [
    () => edge.close(),
    () => hub.close(),
    () => limits.close(),
    () => app.close(),
  ]);
  return edge.listen({ host: config.host, port: config.port });
}
