import Fastify from 'fastify';
import type { Config } from './config.js';
import { openHub, openSubscriber, startApp } from './context.js';
import { createProviders, loadAdapters } from './domains/notifications/providers/index.js';
// Not by the edge's index: a worker answers no GraphQL.
import { registerOperationalRoutes } from './edge/http/operational-routes.js';
import { allJobs } from './jobs/index.js';
import { observeEventArchive } from './platform/event-log/archive/metrics.js';
import { createLogTail } from './platform/event-log/index.js';
import { watchLog } from './platform/logging/log-signal.js';
import { timeoutsOf } from './platform/postgres/postgres-timeouts.js';
import { drainOnSignal } from './platform/process/shutdown.js';
import { observeLag } from './platform/projector/metrics.js';
import { createProjectorMetrics, runProjector } from './platform/projector/run.js';
import { queueNamesOf, scheduledOf, workJobs } from './platform/queues/jobs.js';
import { observeQueues } from './platform/queues/queue-depth.js';
import { runSchedules } from './platform/queues/schedules.js';
import { openProjectors } from './projectors/index.js';

/** Starts a worker process: jobs, projectors, schedules. Resolves with the URL of its operational routes. */
export async function runWorker(config: Config): Promise<string> {
  const app = await startApp(config, 'worker');
  const { logger, metrics, postgres } = app;
  // Who reloads the rules of a whole fleet by SIGHUP may mean the apis alone.
  process.on('SIGHUP', () => logger.info('SIGHUP: a worker has no rules to reload'));
  const providers = createProviders(config.providers, await loadAdapters(config.providers), {
    clock: app.clock,
    callbackBaseUrl: config.baseUrl,
    logger,
    metrics,
  });
  const deliveryWorker = app.notifications.openDelivery({ providers });
  const webhookRelay = app.notifications.webhooks.openRelay();
  const jobs = allJobs(app, deliveryWorker, webhookRelay);
  observeLag(metrics, postgres);
  observeEventArchive(metrics, postgres);
  observeQueues(metrics, app.queues, queueNamesOf(jobs));

  const stopping = new AbortController();
  const logWatch = await watchLog(openSubscriber(app, 'the connection of the log watch'));
  const hub = openHub(app);
  const { projectors, close: closeProjectors } = openProjectors(app);
  const running = {
    databaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
    timeouts: timeoutsOf('worker', config.databaseTimeouts),
    rebuildTimeouts: timeoutsOf('rebuild', config.databaseTimeouts),
    log: app.log,
    tail: createLogTail(app.log),
    wakeUps: app.wakeUps,
    logger,
    metrics: createProjectorMetrics(metrics),
  };
  const projecting = projectors.map((projector) =>
    runProjector({ ...running, watch: logWatch.watch() }, projector, stopping.signal),
  );
  const work = workJobs(app.queueRedis, jobs, logger);
  const schedules = runSchedules(scheduledOf(jobs), app);

  const http = Fastify();
  registerOperationalRoutes(http, {
    readiness: app.readiness,
    metrics,
    draining: () => stopping.signal.aborted,
    logger,
  });
  drainOnSignal(logger, config.shutdownGraceMs, [
    () => stopping.abort(),
    () => Promise.all([schedules.close(), work.close()]),
    () => Promise.all(projecting),
    closeProjectors,
    () => logWatch.close(),
    () => hub.close(),
    () => webhookRelay.close(),
    () => providers.close(),
    () => http.close(),
    () => app.close(),
  ]);
  return http.listen({ host: config.workerHost, port: config.workerPort });
}
