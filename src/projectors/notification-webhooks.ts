import type { Notifications } from '../domains/notifications/index.js';
import type { Projector } from '../platform/projector/projector.js';

/** Queues events of the log for admins' webhooks. They are sent from there: see jobs/notification-webhooks.ts. */
export const webhookEvents = ({
  notifications: { webhooks },
}: {
  notifications: Pick<Notifications, 'webhooks'>;
}): Projector => ({
  name: 'webhook-events',
  eventTypes: 'all',
  async apply(events, tx) {
    await webhooks.queueFromLog(tx, events);
    return undefined;
  },
});
