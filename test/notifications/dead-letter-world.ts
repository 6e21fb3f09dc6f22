import { applyTransitions } from '../../src/domains/notifications/delivery/mailbox.js';
import { death } from '../../src/domains/notifications/delivery/outcome.js';
import { stepOf } from '../../src/domains/notifications/delivery/transition.js';
import type { SendRequest } from '../../src/domains/notifications/intake/request.js';
import { aRequest, aUser, type NotificationWorld, shop } from './notification-world.js';

const AT_ONCE = 50;

/** Accepts pushes, each to a user of its own, and answers their deliveries. */
export async function sendPushes(
  world: NotificationWorld,
  templateId: string,
  count: number,
  own: Partial<SendRequest> = {},
): Promise<string[]> {
  const users: Awaited<ReturnType<typeof aUser>>[] = [];
  while (users.length < count) {
    // A connection of the pool is waited for only so long.
    const next = Math.min(AT_ONCE, count - users.length);
    users.push(...(await Promise.all(Array.from({ length: next }, () => aUser(world)))));
  }
  const recipients = users.map(({ userId }) => ({ userId, channels: ['push' as const] }));
  const request = aRequest({ templateId, recipients, ...own });
  const sent = await world.notifications.send(shop, request);
  if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
  const { rows } = await world.postgres.query<{ id: string }>(
    'SELECT delivery_id AS id FROM deliveries WHERE notification_id = $1 ORDER BY sequence',
    [request.notificationId],
  );
  return rows.map(({ id }) => id);
}

/** Gives deliveries up, as a worker does after their last attempt: each of their phones has failed for good. */
export async function giveUp(
  world: NotificationWorld,
  deliveryIds: readonly string[],
  { at = Date.now(), error = 'PROVIDER_DOWN: tried often enough' } = {},
): Promise<readonly string[]> {
  const { rows } = await world.postgres.query<{ deliveryId: string; target: string }>(
    `SELECT d.delivery_id AS "deliveryId", coalesce(u.device_id, d.channel) AS target
     FROM deliveries d LEFT JOIN user_devices u ON u.user_id = d.user_id AND d.channel = 'push'
     WHERE d.delivery_id = ANY ($1::uuid[])`,
    [deliveryIds],
  );
  await applyTransitions(
    world.postgres,
    rows.map(({ deliveryId, target }) => ({
      ...stepOf({ deliveryId, attempt: 5 }, at),
      ...death({ attempt: 5 }, error),
      lastError: error,
      targets: [{ target, error, providerId: null }],
    })),
  );
  return deliveryIds;
}
