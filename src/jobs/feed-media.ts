import { enqueueMedia, type Feed, processMediaTask } from '../domains/feed/index.js';
import { implementTask, type Queues, type TaskHandler } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';

/** Uploads that one worker processes at once: decoding takes memory, encoding a core each. */
export const MEDIA_AT_ONCE = 2;
const SWEEP_EVERY_MS = 10_000;
const REMOVE_EVERY_MS = 600_000;

interface Deps {
  readonly feed: Pick<Feed, 'media'>;
  readonly queues: Queues;
}

export const mediaTaskHandlers = ({ feed }: Deps): TaskHandler<unknown>[] => [
  implementTask(processMediaTask, ({ mediaId }, job) => feed.media.process(mediaId, job)),
];

export const mediaSchedules = ({ feed: { media }, queues }: Deps): readonly ScheduledTask[] => [
  {
    // Enqueues again what a killed worker or a lost job left.
    name: 'sweep-media',
    everyMs: SWEEP_EVERY_MS,
    async run(job) {
      const stalled = await media.findStalled();
      if (stalled.length > 0)
        job.logger.warn({ count: stalled.length }, 'media are not being processed; they are enqueued again');
      await enqueueMedia(queues, stalled, job.correlationId);
    },
  },
  {
    name: 'remove-unused-media',
    everyMs: REMOVE_EVERY_MS,
    async run(job) {
      const removed = await media.sweepUnused();
      if (removed > 0) job.logger.info({ removed }, 'removed media that no post holds');
    },
  },
];
