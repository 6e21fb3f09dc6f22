import type { App } from '../context.js';
import { createForgetReplaySnapshots } from '../domains/commerce/index.js';
import type { DeliveryWorker } from '../domains/notifications/index.js';
import { archivePartitions } from '../platform/event-log/archive/write.js';
import { createForgetCommands } from '../platform/event-log/forget-commands.js';
import { ensureEventPartitions, sealEventPartitions } from '../platform/event-log/partitions.js';
import { createForgetMissedWrites } from '../platform/missed-writes.js';
import type { ScheduledTask } from '../platform/schedules.js';
import { forgetDeadReaders } from '../platform/wake-up-registry.js';
import { commerceSchedules } from './commerce.js';
import { feedSchedules } from './feed.js';
import { engagementSchedules } from './feed-engagement.js';
import { linkSchedules } from './feed-links.js';
import { mediaSchedules } from './feed-media.js';
import { notificationSchedules } from './notifications.js';

/** Everything that a worker does again and again. A task that is not in here is neither run nor measured. */
export const allSchedules = (app: App, worker: DeliveryWorker): readonly ScheduledTask[] => [
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
  ...feedSchedules(app),
  ...mediaSchedules(app),
  ...linkSchedules(app),
  ...engagementSchedules(app),
  ...commerceSchedules(app),
  ...notificationSchedules({
    worker,
    alsoForget: [
      createForgetCommands(app),
      createForgetMissedWrites(app.postgres),
      createForgetReplaySnapshots(app),
    ],
  }),
  {
    name: 'forget-dead-readers',
    everyMs: 10 * 60_000,
    run: ({ signal }) => forgetDeadReaders(app.redis, signal),
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
