import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues.js';
import { MAX_USER_ID } from '../types.js';

export const FAN_OUT_QUEUE = 'feed.fan-out';

/** Runs an author's unfinished fan-outs. */
export const fanOutTask = defineTask({
  name: 'fan-out',
  queue: FAN_OUT_QUEUE,
  payload: z.object({ authorId: z.string().min(1).max(MAX_USER_ID) }),
});

/** Rings for authors' fan-outs. One job an author at a time keeps his posts in order. */
export async function ringFanOuts(
  queues: Queues,
  authors: readonly { readonly authorId: string; readonly correlationId: string }[],
): Promise<void> {
  await queues.enqueueMany(
    fanOutTask,
    authors.map(({ authorId, correlationId }) => ({
      payload: { authorId },
      options: { correlationId, doorbell: authorId },
    })),
  );
}
