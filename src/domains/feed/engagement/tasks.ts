import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues.js';

/** Of its own, so that nothing waits for notifications. */
export const NOTIFY_QUEUE = 'feed.notify';

/** Tells people whatever is due. */
export const tellOfNoticesTask = defineTask({
  name: 'tell-of-notices',
  queue: NOTIFY_QUEUE,
  payload: z.object({}),
});

/** Rings for what was noted; a ring that is lost is made up for by the schedule. */
export const ringNotices = (queues: Pick<Queues, 'enqueueMany'>, correlationId: string): Promise<void> =>
  queues.enqueueMany(tellOfNoticesTask, [{ payload: {}, options: { correlationId, doorbell: 'due' } }]);
