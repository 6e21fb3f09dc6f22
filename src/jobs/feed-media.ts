import { z } from 'zod';
import { type Feed, MEDIA_QUEUE, processMediaTask, ringMedia } from '../domains/feed/index.js';
import { defineTask, implementTask, type Queues, type TaskHandler } from '../platform/queues.js';

/** Uploads that one worker processes at once: decoding takes memory, encoding a core each. */
export const MEDIA_AT_ONCE = 2;
const SWEEP_EVERY_MS = 10_000;
const REMOVE_EVERY_MS = 600_000;

/** Takes up what a killed worker or a lost job left. */
const sweepMediaTask = defineTask({ name: 'sweep-media', queue: MEDIA_QUEUE, payload: z.object({}) });

/** Removes what no post holds. */
const removeUnusedMediaTask = defineTask({
  name: 'remove-unused-media',
  queue: MEDIA_QUEUE,
  payload: z.object({}),
});

export function mediaTaskHandlers(deps: {
  readonly feed: Pick<Feed, 'media'>;
  readonly queues: Queues;
}): TaskHandler<unknown>[] {
  const { media } = deps.feed;
  return [
    implementTask(processMediaTask, ({ mediaId }, job) => media.process(mediaId, job)),
    implementTask(sweepMediaTask, async (_, job) => {
      const standing = await media.findStanding();
      if (standing.length > 0)
        job.logger.warn({ count: standing.length }, 'taking up media that stand still');
      await ringMedia(deps.queues, standing, job.correlationId);
    }),
    implementTask(removeUnusedMediaTask, async (_, job) => {
      const removed = await media.sweepUnused();
      if (removed > 0) job.logger.info({ removed }, 'removed media that no post holds');
    }),
  ];
}

export async function scheduleMediaTasks(queues: Queues): Promise<void> {
  await queues.repeat(sweepMediaTask, {}, SWEEP_EVERY_MS);
  await queues.repeat(removeUnusedMediaTask, {}, REMOVE_EVERY_MS);
}
