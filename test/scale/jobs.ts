import type { App } from '../../src/context.js';
import type { ScheduledTask } from '../../src/platform/queues/schedules.js';

/** Loads a module of the product by its path below `src` or `dist`, with the ending `.js`. */
export type LoadModule = <Module>(path: string) => Promise<Module>;

/** The worker's schedules, by the registry that the worker runs. */
export async function openJobs(
  load: LoadModule,
  environment: NodeJS.ProcessEnv,
): Promise<{ app: App; schedules: readonly ScheduledTask[]; close(): Promise<void> }> {
  const { openApp } = await load<typeof import('../../src/context.js')>('context.js');
  const { readConfig } = await load<typeof import('../../src/config.js')>('config.js');
  const { allJobs } = await load<typeof import('../../src/jobs/index.js')>('jobs/index.js');
  const { scheduledOf } =
    await load<typeof import('../../src/platform/queues/jobs.js')>('platform/queues/jobs.js');
  const { createProviders, loadAdapters } = await load<
    typeof import('../../src/domains/notifications/providers/index.js')
  >('domains/notifications/providers/index.js');
  const config = readConfig(environment);
  const app = openApp(config, 'worker');
  const { logger, clock, metrics } = app;
  const providers = createProviders(config.providers, await loadAdapters(config.providers), {
    clock,
    callbackBaseUrl: config.baseUrl,
    logger,
    metrics,
  });
  const room = app.notifications.openDelivery({ providers });
  const relay = app.notifications.webhooks.openRelay();
  return {
    app,
    schedules: scheduledOf(allJobs(app, room, relay)),
    async close() {
      relay.close();
      await providers.close();
      await app.close();
    },
  };
}
