import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { heldNoon } from '../limits/counter-world.js';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import {
  aDelivery,
  allowedOf,
  deliveries,
  type LimitsWorld,
  openLimitsWorld,
  verdictsOf,
} from './limits-world.js';

let cluster: TestCluster;
let world: LimitsWorld;

beforeAll(async () => {
  cluster = await startTestCluster();
  world = await openLimitsWorld(cluster.urls, { heldTime: () => heldNoon });
});
beforeEach(() => cluster.flush());
afterAll(async () => {
  await world?.quotas.close();
  await cluster?.stop();
});

const keyOf = (userId: string) => `tidings:quota:{u:${userId}}:channel=sms`;

it('on a Cluster each user’s limits hold, whatever slots users live in and whatever they are called', async () => {
  const strange = ['a', 'a}', '{a}', 'a}:channel=sms', 'a\nb', '}{', '}', '{', '\r\n$1'];
  const users = [...strange, ...Array.from({ length: 500 }, (_, index) => `user-${index}`)];
  const batch = Array.from({ length: 7 }, () =>
    users.map((userId) => aDelivery({ userId, channel: 'sms', notificationType: 'COMMENT_REPLY' })),
  ).flat();
  const verdicts = await verdictsOf(world.limits, batch);
  const expected = batch.map((_, index) => (index < 5 * users.length ? 'allowed' : 'channel'));
  expect(verdicts).toEqual(expected);
  expect(await allowedOf(world.limits, batch)).toBe(5 * users.length);
  expect(await world.failedOpen()).toEqual({});
});

it('on a Cluster a user gets exactly what their limits admit, however many processes ask at once', async () => {
  const other = await openLimitsWorld(cluster.urls, { heldTime: () => heldNoon });
  const batch = deliveries(200, { userId: 'busy', channel: 'email', notificationType: 'NEW_FOLLOWER' });
  const allowed = await Promise.all(
    batch.map((delivery, index) => allowedOf([world, other][index % 2]!.limits, [delivery])),
  );
  expect(allowed.reduce((sum, one) => sum + one, 0)).toBe(10);
  await other.quotas.close();
});

it('on a Cluster all count calls to a provider in one place', async () => {
  const quota = { id: 'test', max: 50, windowSeconds: 3_600 };
  const waits = await Promise.all(Array.from({ length: 200 }, () => world.quotas.chargeShared(quota)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(50);
});

it('where a node of a Cluster is away, its users are not limited and all others are', async () => {
  const hasty = await openLimitsWorld(cluster.urls, { heldTime: () => heldNoon, timeoutMs: 1_000 });
  await cluster.kill(2);
  const users = Array.from({ length: 300 }, (_, index) => `reader-${index}`);
  const batch = users.flatMap((userId) => deliveries(6, { userId, channel: 'sms' }));
  const lost = users.filter((userId) => cluster.masterOf(keyOf(userId)) === 2);
  const verdicts = await verdictsOf(hasty.limits, batch);
  const letThrough = users.filter((_, index) => verdicts[6 * index + 5] === 'allowed');
  expect(lost.length).toBeGreaterThan(50);
  expect(letThrough).toEqual(lost);
  const { timeout = 0, connection = 0, breaker_open = 0 } = await hasty.failedOpen();
  expect(timeout + connection + breaker_open).toBe(6 * lost.length);
  await hasty.quotas.close();
});
