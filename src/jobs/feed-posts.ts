import { z } from 'zod';
import { FAN_OUT_QUEUE, type Feed } from '../domains/feed/index.js';
import { defineTask, implementTask, type Queues, type TaskHandler } from '../platform/queues.js';

const PURGE_EVERY_MS = 60_000;

/** Removes posts a day after they were deleted. */
const purgePostsTask = defineTask({ name: 'purge-posts', queue: FAN_OUT_QUEUE, payload: z.object({}) });

export function postTaskHandlers({ feed }: { feed: Feed }): TaskHandler<unknown>[] {
  return [
    implementTask(purgePostsTask, async (_, job) => {
      const removed = await feed.purgePosts((mediaIds) => feed.media.remove(mediaIds));
      if (removed > 0) job.logger.info({ count: removed }, 'deleted posts were removed');
    }),
  ];
}

export const schedulePostTasks = (queues: Queues): Promise<void> =>
  queues.repeat(purgePostsTask, {}, PURGE_EVERY_MS);
