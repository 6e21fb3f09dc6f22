import Fastify from 'fastify';
import { openApp } from './context.js';
import { FAN_OUT_QUEUE, LINK_PREVIEW_QUEUE, MEDIA_QUEUE, NOTIFY_QUEUE } from './domains/feed/index.js';
import { createProviders, loadAdapters } from './domains/notifications/providers/index.js';
// Not by the edge's index: a worker answers no GraphQL.
import { registerOperationalRoutes } from './edge/http/operational-routes.js';
import { commerceQueues } from './jobs/commerce.js';
import { feedTaskHandlers } from './jobs/feed.js';
import { engagementTaskHandlers } from './jobs/feed-engagement.js';
import { LINK_PREVIEWS_AT_ONCE, linkTaskHandlers } from './jobs/feed-links.js';
import { MEDIA_AT_ONCE, mediaTaskHandlers } from './jobs/feed-media.js';
import { workNotifications } from './jobs/notifications.js';
import { allSchedules } from './jobs/schedules.js';
import type { Config } from './platform/config.js';
import { createLogTail } from './platform/event-log/index.js';
import { watchLog } from './platform/log-signal.js';
import { createLogger } from './platform/logger.js';
import { timeoutsOf } from './platform/postgres-timeouts.js';
import { surviveFaults } from './platform/process-faults.js';
import { createProjectorMetrics, runProjector } from './platform/projector/run.js';
import { workQueue } from './platform/queues.js';
import { openBlockingRedis } from './platform/redis.js';
import { runSchedules } from './platform/schedules.js';
import { followServer } from './platform/server-watch.js';
import { drainOnSignal } from './platform/shutdown.js';
import { waitForDependencies } from './platform/startup.js';
import { createWakeUpHub, openSubscriptions, publishToAll } from './platform/wake-ups.js';
import { createCommerceProcesses, createCommerceReadModels } from './projectors/commerce/index.js';
import { createFeedProjectors } from './projectors/feed.js';
import { natsTarget } from './projectors/outgoing-nats.js';
import { redisTarget } from './projectors/outgoing-redis.js';
import { outgoingStream } from './projectors/outgoing-stream.js';

const FAN_OUTS_AT_ONCE = 8;
/** A killed worker's jobs are taken over after this. */
const LOCK_MS = 5_000;

/** Starts a worker process: jobs, projectors, schedules. Resolves with the URL of its operational routes. */
export async function runWorker(config: Config): Promise<string> {
  await waitForDependencies(config, createLogger('worker', config.logLevel));
  const app = openApp(config, 'worker');
  surviveFaults(app.logger, app.metrics);
  // Who reloads the rules of a whole fleet by SIGHUP may mean the apis alone.
  process.on('SIGHUP', () => app.logger.info('SIGHUP: a worker has no rules to reload'));
  await app.assertUsable();
  const { logger } = app;
  const address = { url: config.redisUrl, server: app.cacheLease };
  const providers = createProviders(config.providers, await loadAdapters(config.providers), {
    clock: app.clock,
    callbackBaseUrl: config.baseUrl,
    logger,
    metrics: app.metrics,
  });

  const stopping = new AbortController();
  const onWatchError = (error: Error): void =>
    logger.warn({ err: error }, 'the log watch or the wake-up connection failed');
  const ear = openBlockingRedis(config.redisUrl, onWatchError);
  followServer(ear, app.cacheLease);
  const logWatch = await watchLog(ear);
  const hub = createWakeUpHub(
    openBlockingRedis(config.redisUrl, onWatchError),
    openSubscriptions(app.redis),
    logger,
    app.missedWrites,
    { lease: app.cacheLease, checkSource: app.readiness.postgres! },
  );
  void app.notifications.keepFresh(hub);
  // A process before this one may have died between a commit and its wake-up.
  void publishToAll(app.wakeUps).catch(() => undefined);
  const metrics = createProjectorMetrics(app.metrics);
  const { eventStreamLength: length, eventStreamNats } = config;
  const nats = eventStreamNats && natsTarget(eventStreamNats, length);
  const projectors = [
    ...createFeedProjectors(app),
    ...createCommerceReadModels(app),
    ...createCommerceProcesses(app),
    ...(length > 0
      ? [outgoingStream({ ...app, target: nats ?? redisTarget(app.redis, length), length })]
      : []),
  ];
  const tail = createLogTail(app.log);
  const projecting = projectors.map((projector) =>
    runProjector(
      {
        databaseUrl: config.databaseUrl,
        timeouts: timeoutsOf('worker', config.databaseTimeouts),
        rebuildTimeouts: timeoutsOf('rebuild', config.databaseTimeouts),
        log: app.log,
        tail,
        watch: logWatch.watch(),
        wakeUps: app.wakeUps,
        logger,
        metrics,
      },
      projector,
      stopping.signal,
    ),
  );

  const deliveryWorker = app.notifications.openDelivery({ providers });
  const workers = [
    workQueue(
      address,
      FAN_OUT_QUEUE,
      feedTaskHandlers(app),
      { concurrency: FAN_OUTS_AT_ONCE, lockDurationMs: LOCK_MS },
      logger,
    ),
    workQueue(
      address,
      MEDIA_QUEUE,
      mediaTaskHandlers(app),
      { concurrency: MEDIA_AT_ONCE, lockDurationMs: LOCK_MS },
      logger,
    ),
    workQueue(
      address,
      LINK_PREVIEW_QUEUE,
      linkTaskHandlers(app),
      { concurrency: LINK_PREVIEWS_AT_ONCE, lockDurationMs: LOCK_MS },
      logger,
    ),
    workQueue(
      address,
      NOTIFY_QUEUE,
      engagementTaskHandlers(app),
      { concurrency: 1, lockDurationMs: LOCK_MS },
      logger,
    ),
    ...commerceQueues(app).map(({ queue, handlers, concurrency }) =>
      workQueue(address, queue, handlers, { concurrency, lockDurationMs: LOCK_MS }, logger),
    ),
    workNotifications(address, { worker: deliveryWorker, logger }),
  ];
  const schedules = runSchedules(allSchedules(app, deliveryWorker), app);

  const http = Fastify();
  registerOperationalRoutes(http, {
    readiness: app.readiness,
    metrics: app.metrics,
    draining: () => stopping.signal.aborted,
    logger,
  });
  drainOnSignal(logger, config.shutdownGraceMs, [
    () => stopping.abort(),
    () => Promise.all([schedules, ...workers].map((one) => one.close())),
    () => Promise.all(projecting),
    () => nats?.close(),
    () => logWatch.close(),
    () => hub.close(),
    () => providers.close(),
    () => http.close(),
    () => app.close(),
  ]);
  return http.listen({ host: config.workerHost, port: config.workerPort });
}
