import { z } from 'zod';
import { defineOutboxKind } from '../../../platform/outbox/index.js';
import { defineTask, type Queues } from '../../../platform/queues/queues.js';
import { userId } from '../user-id.js';

/** With the sweeper's interval this is below the 5 s within which a subscriber gets a post after a fault. */
const STALLED_AFTER_MS = 2_000;

/** Runs an author's unfinished fan-outs. */
export const fanOutTask = defineTask({
  name: 'fan-out',
  queue: 'feed.fan-out',
  payload: z.object({ authorId: userId }),
});

/** Fan-outs that are not finished: due again 2 s after their last progress. Progress is in `fanouts`. */
export const fanOutOutbox = defineOutboxKind({
  name: 'feed.fan-out',
  payload: { postId: z.uuid(), authorId: userId },
  keyOf: ({ postId }) => postId,
  retry: { firstMs: STALLED_AFTER_MS, longestMs: STALLED_AFTER_MS },
  enqueue: ({ queues }, fanOuts) =>
    enqueueFanOuts(
      queues,
      fanOuts.map(({ payload: { authorId }, correlationId, traceparent = null }) => ({
        authorId,
        correlationId,
        traceparent,
      })),
    ),
});

/** Enqueues authors' fan-outs. One job an author at a time keeps the posts in order. */
export async function enqueueFanOuts(
  queues: Pick<Queues, 'enqueueMany'>,
  authors: readonly {
    readonly authorId: string;
    readonly correlationId: string;
    /** As of `EnqueueOptions`. */
    readonly traceparent?: string | null;
  }[],
): Promise<void> {
  const last = new Map(authors.map((author) => [author.authorId, author]));
  await queues.enqueueMany(
    fanOutTask,
    [...last.values()].map(({ authorId, ...cause }) => ({
      payload: { authorId },
      options: { ...cause, deduplicationId: authorId },
    })),
  );
}
