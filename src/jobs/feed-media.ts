import type { App } from '../context.js';
import { enqueueMedia, processMediaTask } from '../domains/feed/index.js';
import { defineJob, type Job } from '../platform/queues/jobs.js';

/** Uploads that one worker processes at once: decoding takes memory, encoding a core each. */
const MEDIA_AT_ONCE = 2;
const SWEEP_EVERY_MS = 10_000;
const REMOVE_EVERY_MS = 600_000;

export const mediaJobs = ({ feed: { media }, queues }: App): readonly Job[] => [
  defineJob({
    task: processMediaTask,
    concurrency: MEDIA_AT_ONCE,
    run: ({ mediaId }, job) => media.process(mediaId, job),
  }),
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
      if (removed > 0) job.logger.info({ removed }, 'removed media that nothing holds');
    },
  },
];
