import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Notifications } from '../../src/domains/notifications/index.js';
import { keepCacheLease, type RenewedLease } from '../../src/platform/cache/cache-lease.js';
import { createMissedWrites } from '../../src/platform/cache/missed-writes.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { configure } from '../support/redis.js';
import {
  aTemplate,
  aUser,
  type NotificationWorld,
  openNotificationWorld,
  unique,
} from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: NotificationWorld;
const leases: RenewedLease[] = [];
const hubs: WakeUpHub[] = [];
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(async () => {
  for (const lease of leases) lease.close();
  for (const hub of hubs) hub.close();
  await world?.close();
});

async function openProcess(): Promise<{ notifications: Notifications; lease: RenewedLease }> {
  const metrics = new Registry();
  const { postgres, redis } = world;
  const missedWrites = createMissedWrites({ postgres, following: postgres, metrics });
  const lease = keepCacheLease({ redises: [redis], missed: missedWrites, logger: silent, metrics });
  leases.push(lease);
  await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
  const notifications = world.another({ lease, missedWrites });
  const hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(redis),
    silent,
  );
  hubs.push(hub);
  void notifications.keepFresh(hub);
  await hub.ready;
  return { notifications, lease };
}

it('what a user switched off is off in every process once that is acknowledged, though Redis takes no writes', async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  const { userId } = await aUser(world);
  const type = unique('TYPE');
  const channels = () => other.notifications.effectiveChannels(userId, type);
  const setPush = (enabled: boolean) =>
    one.notifications.setPreferences(userId, [{ notificationType: type, channel: 'push', enabled }]);
  const texts = async () => (await other.notifications.findActiveTemplate(type)) !== null;
  expect([await channels(), await texts()]).toEqual([['push', 'email', 'sms'], false]);
  await configure(world.redis, 'maxmemory', '1');
  await setPush(false);
  await aTemplate({ ...world, notifications: one.notifications }, 'push', type);
  expect([await channels(), await texts()]).toEqual([['email', 'sms'], true]);
  await configure(world.redis, 'maxmemory', '0');
  await expect.poll(() => other.lease.isHeld(), { timeout: 30_000 }).toBe(true);
  expect([await channels(), await texts()]).toEqual([['email', 'sms'], true]);
});
