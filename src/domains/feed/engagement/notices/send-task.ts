import { z } from 'zod';
import type { OutboxEntry, Relay } from '../../../../platform/outbox/index.js';
import { defineTask } from '../../../../platform/queues/queues.js';

/** Sends the notices that are due, and withdraws what was undone. Its name in the queue is that of processes before this one. */
export const sendNoticesTask = defineTask({
  name: 'tell-of-notices',
  // Of its own, so that nothing waits for notifications.
  queue: 'feed.notify',
  payload: z.object({}),
});

/** One job does all that is due, many at once: it is in nobody's trace, and each entry in its own. */
export const enqueueSending = ({ queues }: Relay, entries: readonly OutboxEntry<unknown>[]): Promise<void> =>
  queues.enqueueMany(
    sendNoticesTask,
    entries.slice(-1).map(({ correlationId }) => ({
      payload: {},
      options: { correlationId, deduplicationId: 'due' },
    })),
  );
