import type { Feed } from '../domains/feed/index.js';
import type { ScheduledTask } from '../platform/schedules.js';

const PURGE_EVERY_MS = 60_000;

/** Removes posts a day after they were deleted. */
export const postJobs = ({ feed }: { feed: Feed }): readonly ScheduledTask[] => [
  {
    name: 'purge-posts',
    everyMs: PURGE_EVERY_MS,
    async run(job) {
      const removed = await feed.purgePosts((mediaIds) => feed.media.remove(mediaIds));
      if (removed > 0) job.logger.info({ count: removed }, 'deleted posts were removed');
    },
  },
];
