import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues/queues.js';
import { tracer } from '../../../platform/tracing/tracing.js';

/** Fetches the page of a post's link. */
export const fetchLinkPreviewTask = defineTask({
  name: 'fetch-link-preview',
  queue: 'feed.link-previews',
  payload: z.object({ postId: z.uuid() }),
});

/** A preview that should be fetched. */
export interface DuePreview {
  readonly postId: string;
  /** Its turn among its author's previews, see `turnsOf`. Earlier turns of all authors come first. */
  readonly turn: number;
}

/** Enqueues fetches of previews; the schedule enqueues again where a job was lost. */
export const enqueueLinkPreviews = (
  queues: Pick<Queues, 'enqueueMany'>,
  previews: readonly DuePreview[],
  correlationId: string,
): Promise<void> =>
  queues.enqueueMany(
    fetchLinkPreviewTask,
    previews.map(({ postId, turn }) => ({
      payload: { postId },
      options: {
        correlationId,
        traceparent: tracer()?.traceparent(),
        deduplicationId: postId,
        priority: turn,
      },
    })),
  );
