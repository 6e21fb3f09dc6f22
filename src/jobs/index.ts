import type { App } from '../context.js';
import { createForgetReplaySnapshots } from '../domains/commerce/index.js';
import type { DeliveryWorker, WebhookRelay } from '../domains/notifications/index.js';
import { HISTORY_EVERY_MS } from '../operations-history.js';
import { createForgetMissedWrites } from '../platform/cache/missed-writes.js';
import { archivePartitions } from '../platform/event-log/archive/write.js';
import { createForgetCommands } from '../platform/event-log/forget-commands.js';
import { ensureEventPartitions, sealEventPartitions } from '../platform/event-log/partitions.js';
import type { Job } from '../platform/queues/jobs.js';
import type { ScheduledTask } from '../platform/queues/schedules.js';
import { forgetDeadReaders } from '../platform/wake-ups/wake-up-registry.js';
import { commerceJobs } from './commerce.js';
import { feedJobs } from './feed.js';
import { webhookJobs } from './notification-webhooks.js';
import { notificationJobs, segmentJobs } from './notifications.js';

/** Everything that a worker does besides following the log. A job that is not in here is neither run nor measured. */
export const allJobs = (app: App, worker: DeliveryWorker, relay: WebhookRelay): readonly Job[] => [
  ...platformJobs(app),
  ...feedJobs(app),
  ...commerceJobs(app),
  ...notificationJobs({
    worker,
    alsoForget: [
      createForgetCommands(app),
      createForgetMissedWrites(app.postgres),
      createForgetReplaySnapshots(app),
      ...relay.forgets,
    ],
  }),
  ...segmentJobs(app.notifications.segments),
  ...webhookJobs({ relay }),
];

const platformJobs = (app: App): readonly ScheduledTask[] => [
  {
    name: 'partition-log',
    everyMs: 60_000,
    run: async () => void (await ensureEventPartitions(app.postgres)),
  },
  {
    name: 'seal-log-partitions',
    everyMs: 60_000,
    run: ({ signal }) => sealEventPartitions(app.postgres, signal),
  },
  ...archiveSchedules(app),
  {
    name: 'forget-dead-readers',
    everyMs: 10 * 60_000,
    run: ({ signal }) => forgetDeadReaders(app.redis, signal),
  },
  {
    name: 'sample-operations',
    everyMs: HISTORY_EVERY_MS,
    run: ({ signal }) => app.operations.keepSample(signal),
  },
];

function archiveSchedules({ config, eventArchive: store, postgres, logger }: App): readonly ScheduledTask[] {
  const afterDays = config.eventArchive?.afterDays;
  if (!store || afterDays === undefined) return [];
  return [
    {
      name: 'archive-log-partitions',
      everyMs: 5 * 60_000,
      run: ({ signal }) => archivePartitions({ postgres, store, logger, afterDays }, signal),
    },
  ];
}
