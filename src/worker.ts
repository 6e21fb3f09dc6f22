import Fastify from 'fastify';
import { openApp } from './context.js';
import { FAN_OUT_QUEUE, MEDIA_QUEUE } from './domains/feed/index.js';
import { createProviders } from './domains/notifications/providers/index.js';
import { registerOperationalRoutes } from './edge/index.js';
import { commerceQueues, scheduleCommerceTasks } from './jobs/commerce.js';
import { feedTaskHandlers, scheduleFeedTasks } from './jobs/feed.js';
import { engagementQueues, scheduleEngagementTasks } from './jobs/feed-engagement.js';
import { MEDIA_AT_ONCE, mediaTaskHandlers, scheduleMediaTasks } from './jobs/feed-media.js';
import { scheduleNotificationTasks, workNotifications } from './jobs/notifications.js';
import type { Config } from './platform/config.js';
import { forgetCommands } from './platform/event-log/forget-commands.js';
import { createLogTail } from './platform/event-log/index.js';
import { watchLog } from './platform/log-signal.js';
import { createProjectorMetrics, runProjector } from './platform/projector/run.js';
import { workQueue } from './platform/queues.js';
import { openBlockingRedis } from './platform/redis.js';
import { drainOnSignal } from './platform/shutdown.js';
import { createWakeUpHub } from './platform/wake-ups.js';
import { createCommerceProcesses, createCommerceReadModels } from './projectors/commerce/index.js';
import { createFeedProjectors } from './projectors/feed.js';

const FAN_OUTS_AT_ONCE = 8;
/** A killed worker's jobs are taken over after this. */
const LOCK_MS = 5_000;

/** Starts a worker process: jobs, projectors, schedules. Resolves with the URL of its operational routes. */
export async function runWorker(config: Config): Promise<string> {
  const app = openApp(config, 'worker');
  // Who reloads the rules of a whole fleet by SIGHUP may mean the apis alone.
  process.on('SIGHUP', () => app.logger.info('SIGHUP: a worker has no rules to reload'));
  await app.assertUsable();
  const { logger, queues } = app;
  const connection = { url: config.redisUrl };
  const providers = createProviders(config.providers, {
    clock: app.clock,
    callbackBaseUrl: config.baseUrl,
    logger,
    metrics: app.metrics,
  });

  const stopping = new AbortController();
  const onWatchError = (error: Error): void =>
    logger.warn({ err: error }, 'the log watch or the wake-up connection failed');
  const logWatch = await watchLog(openBlockingRedis(config.redisUrl, onWatchError));
  const hub = createWakeUpHub(openBlockingRedis(config.redisUrl, onWatchError), logger);
  void app.notifications.keepFresh(hub);
  const metrics = createProjectorMetrics(app.metrics);
  const projectors = [
    ...createFeedProjectors(app),
    ...createCommerceReadModels(app),
    ...createCommerceProcesses(app),
  ];
  const tail = createLogTail(app.log);
  const projecting = projectors.map((projector) =>
    runProjector(
      { databaseUrl: config.databaseUrl, log: app.log, tail, watch: logWatch.watch(), logger, metrics },
      projector,
      stopping.signal,
    ),
  );

  const workers = [
    workQueue(
      connection,
      FAN_OUT_QUEUE,
      feedTaskHandlers(app),
      { concurrency: FAN_OUTS_AT_ONCE, lockDurationMs: LOCK_MS },
      logger,
    ),
    workQueue(
      connection,
      MEDIA_QUEUE,
      mediaTaskHandlers(app),
      { concurrency: MEDIA_AT_ONCE, lockDurationMs: LOCK_MS },
      logger,
    ),
    ...engagementQueues(app).map(({ queue, handlers }) =>
      workQueue(connection, queue, handlers, { concurrency: 1, lockDurationMs: LOCK_MS }, logger),
    ),
    ...commerceQueues(app).map(({ queue, handlers, concurrency }) =>
      workQueue(connection, queue, handlers, { concurrency, lockDurationMs: LOCK_MS }, logger),
    ),
    workNotifications(connection, {
      room: app.notifications.openDelivery({ providers }),
      alsoForget: [(limit) => forgetCommands(app.postgres, app.clock.now(), limit)],
      logger,
    }),
  ];
  await scheduleFeedTasks(queues);
  await scheduleMediaTasks(queues);
  await scheduleEngagementTasks(queues);
  await scheduleCommerceTasks(queues);
  await scheduleNotificationTasks(queues);

  const http = Fastify();
  registerOperationalRoutes(http, {
    readiness: app.readiness,
    metrics: app.metrics,
    draining: () => stopping.signal.aborted,
    logger,
  });
  drainOnSignal(logger, config.shutdownGraceMs, [
    () => stopping.abort(),
    () => Promise.all(workers.map((worker) => worker.close())),
    () => Promise.all(projecting),
    () => logWatch.close(),
    () => hub.close(),
    () => providers.close(),
    () => http.close(),
    () => app.close(),
  ]);
  return http.listen({ host: config.host, port: config.workerPort });
}
