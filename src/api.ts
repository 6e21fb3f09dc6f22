import { OperationContext, openApp, type RequestContext } from './context.js';
import { createEdge, type EdgeRequest } from './edge/index.js';
import { registerCommerceRoutes } from './http/commerce.js';
import { registerNotificationRoutes } from './http/notifications.js';
import { createAuthenticator } from './platform/auth.js';
import type { Config } from './platform/config.js';
import { openBlockingRedis } from './platform/redis.js';
import { drainOnSignal } from './platform/shutdown.js';
import { createWakeUpHub } from './platform/wake-ups.js';
import { createLoaders } from './resolvers/loaders.js';
import { buildApiSchema } from './schema/build.js';

/** Starts an api process: HTTP, GraphQL and WebSocket on one port. Resolves with its URL once it answers. */
export async function runApi(config: Config): Promise<string> {
  const app = openApp(config, 'api');
  await app.assertUsable();
  const { logger } = app;
  const onHubError = (error: Error): void => logger.warn({ err: error }, 'the wake-up connection failed');
  const hub = createWakeUpHub(openBlockingRedis(config.redisUrl, onHubError), logger);

  function createContext(request: EdgeRequest): RequestContext | Promise<RequestContext> {
    const context = new OperationContext(request, app, hub, createLoaders(app, request.viewer));
    const signedIn = request.viewer ? app.feed.signIn(request.viewer.userId) : undefined;
    return signedIn ? signedIn.then(() => context) : context;
  }

  const edge = await createEdge({
    schema: await buildApiSchema(),
    authenticator: createAuthenticator(config.auth, app.clock),
    createContext,
    logger,
    allowedOrigins: config.allowedOrigins,
    development: config.environment !== 'production',
    readiness: app.readiness,
    metrics: app.metrics,
    clock: app.clock,
    ids: app.ids,
    routes(fastify, openRequest) {
      registerNotificationRoutes(fastify, { app, openRequest });
      registerCommerceRoutes(fastify, { commerce: app.commerce, clock: app.clock, hub, openRequest });
    },
  });
  drainOnSignal(logger, config.shutdownGraceMs, [() => edge.close(), () => hub.close(), () => app.close()]);
  return edge.listen({ host: config.host, port: config.port });
}
