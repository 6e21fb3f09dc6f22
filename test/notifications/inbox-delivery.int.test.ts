import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { firstPage } from './inbox-world.js';
import {
  aRequest,
  aTemplate,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  unique,
  until,
} from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: NotificationWorld;
let hub: WakeUpHub;
let templateId: string;

beforeAll(async () => {
  world = await openNotificationWorld();
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    silent,
  );
  await hub.ready;
  templateId = await aTemplate(world, 'in_app', 'NEWS', { title: 'Hi {{name}}', actionUrl: 'app://news' });
  world.work({ providers: { close: async () => undefined } });
});
afterAll(async () => {
  hub.close();
  await world.close();
});

/** Sends to each user's inbox and answers the deliveries once they were sent. */
async function sendTo(...userIds: string[]) {
  const recipients = userIds.map((userId) => ({
    userId,
    channels: ['in_app' as const],
    variables: { name: 'Ann' },
  }));
  const request = aRequest({ type: 'NEWS', templateId, recipients });
  expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
  return until(async () => {
    const deliveries = await deliveriesOf(world, request.notificationId);
    return deliveries.length > 0 && deliveries.every(({ status }) => status !== 'QUEUED') && deliveries;
  });
}
const statusOf = async (deliveryId: string) =>
  (await world.notifications.deliveriesById([deliveryId]))[0]!.status;
const becomes = (deliveryId: string, status: string) =>
  until(async () => (await statusOf(deliveryId)) === status);

describe('an in-app delivery', () => {
  it('is SENT when it is in the inbox, DELIVERED once its user’s client has it, OPENED once they read it', async () => {
    const userId = unique('user');
    const [delivery] = await sendTo(userId);
    const { deliveryId } = delivery!;
    expect(delivery!.status).toBe('SENT');
    const page = await world.notifications.inbox.page(userId, firstPage, 'ALL');
    expect(page.edges.map(({ node }) => node)).toMatchObject([
      { itemId: deliveryId, title: 'Hi Ann', body: 'Hello Ann', actionUrl: 'app://news' },
    ]);
    await becomes(deliveryId, 'DELIVERED');
    await world.notifications.inbox.page(userId, firstPage, 'ALL');
    await world.notifications.inbox.mark(userId, 'READ', [deliveryId]);
    await becomes(deliveryId, 'OPENED');
    await world.notifications.inbox.mark(userId, 'UNREAD', [deliveryId]);
    await world.notifications.inbox.mark(userId, 'READ', [deliveryId]);
    await world.notifications.inbox.page(userId, firstPage, 'ALL');
    const [, other] = await sendTo(userId, unique('other'));
    await world.notifications.inbox.page(other!.userId, firstPage, 'ALL');
    await becomes(other!.deliveryId, 'DELIVERED');
    expect((await timelineOf(world, deliveryId)).slice(-3)).toEqual(['SENT', 'DELIVERED', 'OPENED']);
  });

  it('stays SENT where somebody else has looked at the inbox', async () => {
    const userId = unique('user');
    const [delivery] = await sendTo(userId);
    const { inbox } = world.notifications;
    const looked = await inbox.look(userId, firstPage, 'ALL');
    expect(looked.edges.map(({ node }) => node.itemId)).toEqual([delivery!.deliveryId]);
    expect(looked).toMatchObject({ unreadCount: 1 });
    // Whatever looking had reported would be reported before this.
    const [other] = await sendTo(unique('other'));
    await inbox.page(other!.userId, firstPage, 'ALL');
    await becomes(other!.deliveryId, 'DELIVERED');
    expect(await statusOf(delivery!.deliveryId)).toBe('SENT');
    expect(looked).toMatchObject({ unreadCount: 1 });
    expect((await inbox.page(userId, firstPage, 'ALL')).edges).toEqual(looked.edges);
    await becomes(delivery!.deliveryId, 'DELIVERED');
  });

  it('is DELIVERED as well to a user who follows their inbox, in the order of events', async () => {
    const userId = unique('user');
    const { updatesAfter } = await world.notifications.inbox.page(userId, firstPage, 'ALL');
    const stop = new AbortController();
    const updates = world.notifications.inbox.follow(hub, userId, updatesAfter, stop.signal);
    const next = updates.next();
    const [delivery] = await sendTo(userId);
    expect(await next).toMatchObject({
      value: { item: { itemId: delivery!.deliveryId, title: 'Hi Ann' }, unreadCount: 1 },
    });
    await becomes(delivery!.deliveryId, 'DELIVERED');
    stop.abort();
    await updates.return();
    const timeline = await timelineOf(world, delivery!.deliveryId);
    expect(timeline.slice(-3)).toEqual(['QUEUED', 'SENT', 'DELIVERED']);
  });

  it('is OPENED where all of many are read at once, though none was shown', async () => {
    const userId = unique('user');
    const sent = (await Promise.all(Array.from({ length: 30 }, () => sendTo(userId)))).flat();
    expect(await world.notifications.inbox.mark(userId, 'READ', null)).toMatchObject({
      ok: true,
      value: { changed: 30, unreadCount: 0 },
    });
    for (const { deliveryId } of sent) await becomes(deliveryId, 'OPENED');
  });

  it('is DELIVERED too by being archived, while another’s of the same request stays SENT', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const [hers, his] = await sendTo(ann, bob);
    await world.notifications.inbox.mark(ann, 'ARCHIVE', null);
    await becomes(hers!.deliveryId, 'DELIVERED');
    expect(await statusOf(his!.deliveryId)).toBe('SENT');
  });
});
