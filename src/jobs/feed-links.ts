import { enqueueLinkPreviews, type Feed, fetchLinkPreviewTask } from '../domains/feed/index.js';
import { implementTask, type Queues, type TaskHandler } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';

/** Pages that one worker fetches at once. */
export const LINK_PREVIEWS_AT_ONCE = 4;
const SWEEP_EVERY_MS = 10_000;

interface Deps {
  readonly feed: Pick<Feed, 'links'>;
  readonly queues: Queues;
}

export const linkTaskHandlers = ({ feed }: Deps): TaskHandler<unknown>[] => [
  implementTask(fetchLinkPreviewTask, ({ postId }, job) => feed.links.fetch(postId, job)),
];

export const linkSchedules = ({ feed: { links }, queues }: Deps): readonly ScheduledTask[] => [
  {
    // Enqueues again what failed before, and what a killed worker or a lost job left.
    name: 'sweep-link-previews',
    everyMs: SWEEP_EVERY_MS,
    run: async (job) => enqueueLinkPreviews(queues, await links.findWaiting(), job.correlationId),
  },
];
