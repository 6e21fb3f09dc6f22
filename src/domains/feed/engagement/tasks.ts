import { z } from 'zod';
import { defineTask } from '../../../platform/queues.js';

/** Of its own, so that nothing waits for notifications. */
export const NOTIFY_QUEUE = 'feed.notify';

/** Sends the notices that are due. Its name in the queue is that of processes before this one. */
export const sendNoticesTask = defineTask({
  name: 'tell-of-notices',
  queue: NOTIFY_QUEUE,
  payload: z.object({}),
});
