import type { App } from '../context.js';
import { enqueueMedia, type Media, processMediaTask, processTask } from '../domains/feed/index.js';
import { defineJob, type Job, type QueueJob } from '../platform/queues/jobs.js';

/** Uploads of each kind that one worker processes at once: decoding takes memory, encoding a core each. */
const AT_ONCE: Readonly<Record<Media['kind'], number>> = { image: 2, video: 2 };
const FORMER_AT_ONCE = 8;
const SWEEP_EVERY_MS = 10_000;
const REMOVE_EVERY_MS = 600_000;

type Deps = Pick<App, 'queues'> & { readonly feed: Pick<App['feed'], 'media'> };

const turnJob = ({ feed: { media }, queues }: Deps, kind: Media['kind']): QueueJob =>
  defineJob({
    task: processTask[kind],
    concurrency: AT_ONCE[kind],
    async run({ ownerId }, job) {
      const { more } = await media.takeTurn({ ownerId, kind }, job);
      if (more) await enqueueMedia(queues, [{ ownerId, kind }], job.correlationId);
    },
  });

export const mediaJobs = (deps: Deps): readonly Job[] => {
  const {
    feed: { media },
    queues,
  } = deps;
  return [
    turnJob(deps, 'image'),
    turnJob(deps, 'video'),
    defineJob({
      task: processMediaTask,
      concurrency: FORMER_AT_ONCE,
      run: async ({ mediaId }, job) => enqueueMedia(queues, await media.turnOf(mediaId), job.correlationId),
    }),
    {
      // Enqueues again what a killed worker or a lost job left.
      name: 'sweep-media',
      everyMs: SWEEP_EVERY_MS,
      async run(job) {
        const stalled = await media.findStalled();
        if (stalled.length > 0)
          job.logger.warn(
            { owners: stalled.length },
            'media are not being processed; they are enqueued again',
          );
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
};
