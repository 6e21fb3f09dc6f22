import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues.js';

export const MEDIA_QUEUE = 'feed.media';

/** Makes what readers get of an upload. */
export const processMediaTask = defineTask({
  name: 'process-media',
  queue: MEDIA_QUEUE,
  payload: z.object({ mediaId: z.uuid() }),
});

/** Rings for uploads. A ring that is lost delays them until the sweeper comes by. */
export async function ringMedia(
  queues: Pick<Queues, 'enqueueMany'>,
  mediaIds: readonly string[],
  correlationId: string,
): Promise<void> {
  await queues.enqueueMany(
    processMediaTask,
    mediaIds.map((mediaId) => ({
      payload: { mediaId },
      options: { correlationId, deduplicationId: mediaId },
    })),
  );
}
