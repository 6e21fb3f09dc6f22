import { enqueueLinkPreviews, type Feed, fetchLinkPreviewTask } from '../domains/feed/index.js';
import { defineJob, type Job } from '../platform/jobs.js';
import type { Queues } from '../platform/queues.js';

/** Pages that one worker fetches at once. */
const LINK_PREVIEWS_AT_ONCE = 4;
const SWEEP_EVERY_MS = 10_000;

interface Deps {
  readonly feed: Pick<Feed, 'links'>;
  readonly queues: Queues;
}

export const linkJobs = ({ feed: { links }, queues }: Deps): readonly Job[] => [
  defineJob({
    task: fetchLinkPreviewTask,
    concurrency: LINK_PREVIEWS_AT_ONCE,
    run: ({ postId }, job) => links.fetch(postId, job),
  }),
  {
    // Enqueues again what failed before, and what a killed worker or a lost job left.
    name: 'sweep-link-previews',
    everyMs: SWEEP_EVERY_MS,
    run: async (job) => enqueueLinkPreviews(queues, await links.findWaiting(), job.correlationId),
  },
];
