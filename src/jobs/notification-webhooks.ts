import { drainWebhookTask, type WebhookRelay } from '../domains/notifications/index.js';
import { defineJob, type Job } from '../platform/queues/jobs.js';

/** Webhooks that one worker sends to at once. A slow receiver has one of them for half a minute at most. */
const WEBHOOKS_AT_ONCE = 200;
const LOOK_EVERY_MS = 500;

export const webhookJobs = ({ relay }: { readonly relay: WebhookRelay }): readonly Job[] => [
  defineJob({
    task: drainWebhookTask,
    concurrency: WEBHOOKS_AT_ONCE,
    run: ({ webhookId }, job) => relay.drain(webhookId, job),
  }),
  {
    // Enqueues a job for each webhook for which an event is due, new or to be tried again.
    name: 'notifications.webhooks',
    everyMs: LOOK_EVERY_MS,
    async run(job) {
      const enqueued = await relay.enqueueDue(job.correlationId);
      if (enqueued > 0) job.logger.debug({ enqueued }, 'enqueued webhooks with events that are due');
    },
  },
];
