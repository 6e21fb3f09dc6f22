import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatusUpdate } from '../../src/domains/notifications/lifecycle/follow.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
} from './notification-world.js';
import { type SandboxTrial, silent, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let hub: WakeUpHub;
let templateId: string;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    silent,
  );
  await hub.ready;
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(async () => {
  await hub.close();
  await world.close();
  await trial.close();
});

async function sendTo(...userIds: string[]): Promise<string> {
  const recipients = userIds.map((userId) => ({ userId, channels: ['push' as const] }));
  const request = aRequest({ templateId, recipients });
  expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
  return request.notificationId;
}

/** Follows until `enough`, and answers what came. */
async function follow(
  by: Caller,
  notificationId: string,
  after: string | null,
  enough: (updates: readonly StatusUpdate[]) => boolean,
): Promise<StatusUpdate[]> {
  const updates: StatusUpdate[] = [];
  const stop = new AbortController();
  for await (const update of world.notifications.follow(hub, by, notificationId, after, stop.signal)) {
    updates.push(update);
    if (enough(updates)) stop.abort();
  }
  return updates;
}
const delivered = (count: number) => (updates: readonly StatusUpdate[]) =>
  updates.filter(({ event }) => event === 'DELIVERED').length === count;
const of = (count: number) => (updates: readonly StatusUpdate[]) => updates.length === count;

describe('the status of a notification', () => {
  it('is followed live, and goes on from any cursor without gap or repeat', async () => {
    const [ann, bob] = await Promise.all([aUser(world), aUser(world)]);
    const notificationId = await sendTo(ann.userId, bob.userId);
    const live = follow(shop, notificationId, null, delivered(2));
    const worker = world.work({ providers: trial.providers() });
    const all = await live;
    await worker.close();
    expect(all).toHaveLength(14);
    for (const at of [0, 4, 10, 12]) {
      const rest = await follow(shop, notificationId, all[at]!.cursor, of(13 - at));
      expect(rest).toEqual(all.slice(at + 1));
    }
  });

  it('is shown to a recipient as far as it is their own, to admins wholly, to others not at all', async () => {
    const [ann, bob] = await Promise.all([aUser(world), aUser(world)]);
    const notificationId = await sendTo(ann.userId, bob.userId);
    const own = await follow(caller(bob.userId), notificationId, null, of(5));
    expect(new Set(own.map(({ userId }) => userId))).toEqual(new Set([bob.userId]));
    expect(await follow(admin, notificationId, null, of(10))).toHaveLength(10);
    const stranger = follow(caller('mallory', 'producer'), notificationId, null, of(1));
    await expect(stranger).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(follow(shop, 'no such one', null, of(1))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses a cursor that it did not give', async () => {
    const { userId } = await aUser(world);
    const [first, second] = [await sendTo(userId), await sendTo(userId)];
    const [update] = await follow(shop, first, null, of(1));
    for (const cursor of ['rubbish', update!.cursor]) {
      await expect(follow(shop, second, cursor, of(1))).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });

  it('ends when its listener leaves', async () => {
    const { userId } = await aUser(world);
    const notificationId = await sendTo(userId);
    const leaving = new AbortController();
    const updates = world.notifications.follow(hub, shop, notificationId, null, leaving.signal);
    for (let seen = 0; seen < 5; seen++) await updates.next();
    const waiting = updates.next();
    leaving.abort();
    expect(await waiting).toMatchObject({ done: true });
  });
});
