import { z } from 'zod';
import { defineTask } from '../../../platform/queues.js';

/** Sends the notices that are due. Its name in the queue is that of processes before this one. */
export const sendNoticesTask = defineTask({
  name: 'tell-of-notices',
  // Of its own, so that nothing waits for notifications.
  queue: 'feed.notify',
  payload: z.object({}),
});
