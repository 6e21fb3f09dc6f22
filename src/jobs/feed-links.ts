import type { App } from '../context.js';
import { enqueueLinkPreviews, fetchLinkPreviewTask } from '../domains/feed/index.js';
import { defineJob, type Job } from '../platform/queues/jobs.js';

/** Pages that one worker fetches at once. */
const LINK_PREVIEWS_AT_ONCE = 4;
const SWEEP_EVERY_MS = 10_000;

export const linkJobs = ({ feed: { links }, queues }: App): readonly Job[] => [
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
