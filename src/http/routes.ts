import type { FastifyInstance } from 'fastify';
import type { App } from '../context.js';
import type { OpenRequest } from '../edge/index.js';
import type { WakeUpHub } from '../platform/wake-ups/wake-ups.js';
import type { FieldCheck } from '../schema/rate-limit-directive.js';
import { refuseStrangers } from './callers.js';
import { registerCommerceRoutes } from './commerce.js';
import { registerFeedRoutes } from './feed.js';
import { registerMediaRoutes } from './feed-media.js';
import { registerPostRoutes } from './feed-posts.js';
import { limitsGuide } from './guides.js';
import { noteWrites } from './note-writes.js';
import { registerNotificationRoutes } from './notifications.js';
import { registerOpenApi } from './open-api.js';
import type { Web } from './web/index.js';

/** Every route of the product beside `/graphql` and the operational ones. */
export async function registerRoutes(
  fastify: FastifyInstance,
  deps: {
    readonly app: App;
    readonly hub: WakeUpHub;
    readonly openRequest: OpenRequest;
    readonly checkField: FieldCheck;
    /** Absent: no pages are served. */
    readonly web?: Web | undefined;
  },
): Promise<void> {
  const { app, hub, openRequest, checkField, web } = deps;
  refuseStrangers(fastify, openRequest);
  if (app.hasReplicas) noteWrites(fastify, { app, openRequest });
  await registerOpenApi(fastify, { page: app.config.environment !== 'production' });
  const limits = limitsGuide();
  if (web) await web.register(fastify, { limits });
  else fastify.get('/docs/limits', { config: { gate: 'open' } }, limits);
  await registerMediaRoutes(fastify, { app, openRequest });
  registerPostRoutes(fastify, { app, openRequest });
  registerFeedRoutes(fastify, { app, openRequest });
  await registerNotificationRoutes(fastify, { app, openRequest, checkField });
  registerCommerceRoutes(fastify, { commerce: app.commerce, clock: app.clock, hub, openRequest, checkField });
}
