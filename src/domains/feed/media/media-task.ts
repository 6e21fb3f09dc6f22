import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues/queues.js';
import { tracer } from '../../../platform/tracing/tracing.js';

/** Makes the files that readers get of an upload. */
export const processMediaTask = defineTask({
  name: 'process-media',
  queue: 'feed.media',
  payload: z.object({ mediaId: z.uuid() }),
});

/** Enqueues the processing of uploads. Where a job is lost, the sweeper enqueues it again. */
export async function enqueueMedia(
  queues: Pick<Queues, 'enqueueMany'>,
  mediaIds: readonly string[],
  correlationId: string,
): Promise<void> {
  await queues.enqueueMany(
    processMediaTask,
    mediaIds.map((mediaId) => ({
      payload: { mediaId },
      options: { correlationId, traceparent: tracer()?.traceparent(), deduplicationId: mediaId },
    })),
  );
}
