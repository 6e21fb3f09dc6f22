import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues/queues.js';
import { tracer } from '../../../platform/tracing/tracing.js';
import type { Media } from '../types.js';
import { userId } from '../user-id.js';

/** An owner whose uploads of a kind wait. */
export interface Turn {
  readonly ownerId: string;
  readonly kind: Media['kind'];
}

const payload = z.object({ ownerId: userId });

/**
 * Makes the files that readers get of one upload of an owner, the one that waits longest. With one job an owner at a time, nobody
 * waits for all that another has uploaded; with a queue for each kind, images do not wait for videos.
 */
export const processTask = {
  image: defineTask({ name: 'process-images', queue: 'feed.images', payload }),
  video: defineTask({ name: 'process-videos', queue: 'feed.videos', payload }),
} as const;

/** What processes of the former version enqueue: one job an upload, of either kind. */
export const processMediaTask = defineTask({
  name: 'process-media',
  queue: 'feed.media',
  payload: z.object({ mediaId: z.uuid() }),
});

/** Enqueues owners for each kind of upload. Where a job is lost, the sweeper enqueues it again. */
export async function enqueueMedia(
  queues: Pick<Queues, 'enqueueMany'>,
  turns: readonly Turn[],
  correlationId: string,
): Promise<void> {
  for (const kind of ['image', 'video'] as const) {
    const owners = new Set(turns.filter((turn) => turn.kind === kind).map(({ ownerId }) => ownerId));
    await queues.enqueueMany(
      processTask[kind],
      [...owners].map((ownerId) => ({
        payload: { ownerId },
        options: { correlationId, traceparent: tracer()?.traceparent(), deduplicationId: ownerId },
      })),
    );
  }
}
