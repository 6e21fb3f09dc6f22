import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues/queues.js';
import type { RelayStore } from './relay-store.js';

/** Sends what is due for one webhook. Postgres holds what; a job that is lost is enqueued again within a second. */
export const drainWebhookTask = defineTask({
  name: 'notifications.webhook',
  queue: 'notifications.webhooks',
  payload: z.object({ webhookId: z.uuid() }),
});

const WEBHOOKS_A_PAGE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Enqueues a job for each webhook for which an event is due.
 *
 * @returns for how many
 */
export async function enqueueDueWebhooks(
  { store, queues }: { readonly store: RelayStore; readonly queues: Pick<Queues, 'enqueueMany'> },
  correlationId: string,
): Promise<number> {
  let enqueued = 0;
  for (let after = FIRST, isLast = false; !isLast; ) {
    const page = await store.active(after, WEBHOOKS_A_PAGE);
    const isDue = await Promise.all(page.map(({ webhookId }) => store.isDue(webhookId)));
    const due = page.filter(({ isPaused }, index) => isDue[index] && !isPaused);
    await queues.enqueueMany(
      drainWebhookTask,
      due.map(({ webhookId }) => ({
        payload: { webhookId },
        options: { correlationId, deduplicationId: webhookId },
      })),
    );
    enqueued += due.length;
    after = page.at(-1)?.webhookId ?? after;
    isLast = page.length < WEBHOOKS_A_PAGE;
  }
  return enqueued;
}
