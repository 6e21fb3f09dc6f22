import { z } from 'zod';
import { defineTask, type Queues } from '../../platform/queues.js';

export const FAN_OUT_QUEUE = 'feed.fan-out';

export const fanOutTask = defineTask({
  name: 'fan-out',
  queue: FAN_OUT_QUEUE,
  payload: z.object({ postId: z.uuid() }),
});

/** Rings for fan-outs; a second ring for one that waits is no second job. */
export async function ringFanOuts(
  queues: Queues,
  fanOuts: readonly { readonly postId: string; readonly correlationId: string }[],
): Promise<void> {
  await queues.enqueueMany(
    fanOutTask,
    fanOuts.map(({ postId, correlationId }) => ({
      payload: { postId },
      options: { correlationId, doorbell: postId },
    })),
  );
}
