import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Quotas } from '../../src/domains/limits/quotas.js';
import type { NotificationLimits } from '../../src/domains/notifications/limits/limits.js';
import type { Redis } from '../../src/platform/redis/redis.js';
import { heldNoon } from '../limits/counter-world.js';
import {
  callsDuring,
  connectTo,
  forgetAll,
  forgetScripts,
  isOnCluster,
  keysLike,
  startTestRedis,
  type TestRedis,
} from '../support/redis.js';
import { aDelivery, allowedOf, deliveries, openLimitsWorld, verdictsOf } from './limits-world.js';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;

let server: TestRedis;
let direct: Redis;
/** Microseconds since the epoch. */
let now: number;
let limits: NotificationLimits;
let opened: Quotas[];

beforeAll(async () => {
  server = await startTestRedis();
  direct = await connectTo(server);
});
afterAll(async () => {
  direct.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await forgetAll(direct);
  now = heldNoon;
  opened = [];
  limits = await open(() => now);
});
afterEach(async () => {
  for (const quotas of opened) await quotas.close();
});

/** One process's limits. */
async function open(heldTime?: () => number): Promise<NotificationLimits> {
  const world = await openLimitsWorld(server.url.split(','), heldTime && { heldTime });
  opened.push(world.quotas);
  return world.limits;
}

const keys = () => keysLike(direct, '*');

describe('a window slides', () => {
  it.each([
    ['push', 'ORDER_SHIPPED', 30, HOUR],
    ['sms', 'ORDER_SHIPPED', 5, HOUR],
    ['email', 'ORDER_SHIPPED', 10, 24 * HOUR],
    ['in_app', 'NEW_FOLLOWER', 10, HOUR],
    ['in_app', 'COMMENT_REPLY', 20, HOUR],
    ['in_app', 'MARKETING_CAMPAIGN', 1, 24 * HOUR],
  ] as const)('%s of %s: %i in any stretch of its length', async (channel, notificationType, max, window) => {
    const batch = (count: number) => deliveries(count, { channel, notificationType });
    const first = Math.ceil(max / 2);
    expect(await allowedOf(limits, batch(first))).toBe(first);
    now += window / 2;
    expect(await allowedOf(limits, batch(max))).toBe(max - first);
    now += window / 2 - 1;
    expect(await allowedOf(limits, batch(max))).toBe(0);
    now += 1;
    expect(await allowedOf(limits, batch(max))).toBe(first);
  });

  it('and says when the next one fits: then, and not a millisecond before', async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      await limits.charge([aDelivery({ channel: 'sms' })]);
      now += 7 * MINUTE;
    }
    const [verdict] = await limits.charge([aDelivery({ channel: 'sms' })]);
    expect(verdict).toEqual({
      allowed: false,
      limit: 'channel',
      max: 5,
      windowSeconds: 3_600,
      retryAfterMs: 25 * 60_000,
    });
    now += 25 * MINUTE - 1_000;
    expect(await verdictsOf(limits, deliveries(1, { channel: 'sms' }))).toEqual(['channel']);
    now += 1_000;
    expect(await verdictsOf(limits, deliveries(1, { channel: 'sms' }))).toEqual(['allowed']);
  });

  it('where both limits are reached, the refusal names the one that stays full for longer', async () => {
    await limits.charge(deliveries(1, { channel: 'in_app', notificationType: 'MARKETING_CAMPAIGN' }));
    await limits.charge(deliveries(5, { channel: 'sms' }));
    const both = { channel: 'sms', notificationType: 'MARKETING_CAMPAIGN' } as const;
    expect(await limits.charge([aDelivery(both)])).toMatchObject([
      { limit: 'type', max: 1, retryAfterMs: 24 * 3_600_000 },
    ]);
  });

  it('by Redis’s own clock where none is held', async () => {
    const live = await open();
    await live.charge(deliveries(5, { channel: 'sms' }));
    const [verdict] = await live.charge([aDelivery({ channel: 'sms' })]);
    expect(verdict).toMatchObject({ allowed: false, limit: 'channel' });
    const { retryAfterMs } = verdict as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(3_590_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });
});

describe('a delivery', () => {
  it('that was counted is allowed again and counted once, though its limits are full by now', async () => {
    const first = aDelivery({ channel: 'sms', notificationType: 'COMMENT_REPLY' });
    for (let time = 0; time < 10; time += 1) expect(await verdictsOf(limits, [first])).toEqual(['allowed']);
    expect(await allowedOf(limits, deliveries(10, { channel: 'sms' }))).toBe(4);
    expect(await verdictsOf(limits, [first, aDelivery({ channel: 'sms' })])).toEqual(['allowed', 'channel']);
  });

  it('that comes many times at once is counted once', async () => {
    const others = await Promise.all([open(() => now), open(() => now), open(() => now)]);
    const one = aDelivery({ channel: 'sms' });
    const charges = Array.from({ length: 100 }, (_, index) => others[index % 3]!.charge([one, one]));
    for (const verdicts of await Promise.all(charges))
      expect(verdicts).toEqual([{ allowed: true }, { allowed: true }]);
    expect(await allowedOf(limits, deliveries(10, { channel: 'sms' }))).toBe(4);
  });

  it('whose window is over is a new one', async () => {
    const old = aDelivery({ channel: 'sms' });
    await limits.charge([old]);
    now += HOUR;
    await limits.charge(deliveries(5, { channel: 'sms' }));
    expect(await verdictsOf(limits, [old])).toEqual(['channel']);
  });

  it('of another producer with the same id is another', async () => {
    const same = { notificationId: 'one', notificationType: 'MARKETING_CAMPAIGN' };
    expect(await verdictsOf(limits, [aDelivery(same), aDelivery({ ...same, producer: 'other' })])).toEqual([
      'allowed',
      'type',
    ]);
  });

  it('that is refused is counted in neither limit', async () => {
    const reply = { notificationType: 'COMMENT_REPLY' };
    await limits.charge(deliveries(5, { channel: 'sms' }));
    expect(await allowedOf(limits, deliveries(50, { ...reply, channel: 'sms' }))).toBe(0);
    expect(await allowedOf(limits, deliveries(50, { ...reply, channel: 'push' }))).toBe(20);
    // The 30 pushes that the type refused took nothing of the channel.
    expect(await allowedOf(limits, deliveries(50, { channel: 'push' }))).toBe(10);
    expect(await allowedOf(limits, deliveries(50, { ...reply, userId: 'bob', channel: 'sms' }))).toBe(5);
    expect(await allowedOf(limits, deliveries(50, { ...reply, userId: 'bob', channel: 'in_app' }))).toBe(15);
  });
});

describe('a notification on several channels', () => {
  const campaign = (notificationId: string) =>
    (['push', 'email', 'sms', 'in_app'] as const).map((channel) =>
      aDelivery({ notificationId, channel, notificationType: 'MARKETING_CAMPAIGN' }),
    );

  it('takes one of its type’s limit, and one of each channel’s', async () => {
    expect(await verdictsOf(limits, campaign('spring'))).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'allowed',
    ]);
    expect(await verdictsOf(limits, campaign('summer'))).toEqual(['type', 'type', 'type', 'type']);
    expect(await allowedOf(limits, deliveries(50, { channel: 'push' }))).toBe(29);
    expect(await allowedOf(limits, deliveries(50, { channel: 'email' }))).toBe(9);
    expect(await allowedOf(limits, deliveries(50, { channel: 'sms' }))).toBe(4);
  });

  it('takes one of its type’s limit though the channels are charged one after the other', async () => {
    for (const delivery of campaign('autumn'))
      expect(await verdictsOf(limits, [delivery])).toEqual(['allowed']);
    expect(await verdictsOf(limits, campaign('winter').slice(1, 2))).toEqual(['type']);
  });

  it('goes on the channels whose limits are not reached', async () => {
    await limits.charge(deliveries(5, { channel: 'sms' }));
    expect(await verdictsOf(limits, campaign('spring'))).toEqual([
      'allowed',
      'allowed',
      'channel',
      'allowed',
    ]);
  });
});

describe('a batch', () => {
  it('is charged in its order, and each user by themselves', async () => {
    const batch = Array.from({ length: 40 }, (_, index) =>
      aDelivery({ channel: 'sms', userId: index % 4 === 3 ? 'bob' : 'alice' }),
    );
    const verdicts = await verdictsOf(limits, batch);
    expect(
      verdicts.map((verdict, index) => (verdict === 'allowed' ? index : -1)).filter((at) => at >= 0),
    ).toEqual([0, 1, 2, 3, 4, 5, 7, 11, 15, 19]);
  });

  it('of a thousand users on three channels, the largest that there is, is twelve calls; on a Cluster one for each user in each of these', async () => {
    const batch = Array.from({ length: 1_000 }, (_, index) =>
      (['push', 'email', 'sms'] as const).map((channel) =>
        aDelivery({
          userId: `user-${index}`,
          notificationId: 'news',
          notificationType: 'NEW_FOLLOWER',
          channel,
        }),
      ),
    ).flat();
    await limits.charge([aDelivery()]);
    const calls = await callsDuring(direct, ['evalsha'], async () =>
      expect(await allowedOf(limits, batch)).toBe(3_000),
    );
    // 256 checks each: 8 of the 11 ends lie between the channels of one user.
    expect(calls).toEqual({ evalsha: isOnCluster ? 1_008 : 12 });
  });

  it('of nobody asks nobody', async () => {
    const calls = await callsDuring(direct, ['evalsha', 'eval'], async () =>
      expect(await limits.charge([])).toEqual([]),
    );
    expect(calls).toEqual({});
  });
});

describe('many processes at once', () => {
  it('allow a user exactly what their limits admit', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => open()));
    const batch = deliveries(200, { notificationType: 'COMMENT_REPLY' });
    const allowed = await Promise.all(
      batch.map((delivery, index) => allowedOf(processes[index % 4]!, [delivery])),
    );
    expect(allowed.reduce((sum, one) => sum + one, 0)).toBe(20);
    const others = await Promise.all(
      deliveries(200).map((delivery, index) => allowedOf(processes[index % 4]!, [delivery])),
    );
    expect(others.reduce((sum, one) => sum + one, 0)).toBe(10);
  });
});

describe('what is kept', () => {
  it('is never more than a limit holds, for as long as its window and a second', async () => {
    await limits.charge(deliveries(200, { notificationType: 'COMMENT_REPLY' }));
    now += HOUR / 2;
    await limits.charge(deliveries(200, { notificationType: 'COMMENT_REPLY' }));
    now += HOUR / 2;
    await limits.charge(deliveries(200));
    const [channel, type] = (await keys()).sort();
    expect([channel, type]).toEqual([
      'tidings:quota:{u:alice}:channel=push',
      'tidings:quota:{u:alice}:type=COMMENT_REPLY',
    ]);
    expect(await direct.zcard(channel!)).toBe(30);
    expect(await direct.zcard(type!)).toBe(20);
    for (const key of [channel, type]) {
      expect(await direct.pttl(key!)).toBeGreaterThan(3_590_000);
      expect(await direct.pttl(key!)).toBeLessThanOrEqual(3_601_000);
    }
  });

  it('is read where a former version of the program has written it', async () => {
    const former = ['one', 'two', 'three', 'four', 'five'].flatMap((name) => [now, name]);
    await direct.zadd('tidings:quota:{u:alice}:channel=sms', ...former);
    expect(await verdictsOf(limits, deliveries(1, { channel: 'sms' }))).toEqual(['channel']);
    now += HOUR;
    expect(await allowedOf(limits, deliveries(9, { channel: 'sms' }))).toBe(5);
  });

  it('is nothing of what was refused', async () => {
    await limits.charge(deliveries(1, { channel: 'in_app', notificationType: 'MARKETING_CAMPAIGN' }));
    await limits.charge(deliveries(9, { channel: 'email', notificationType: 'MARKETING_CAMPAIGN' }));
    expect(await keys()).toEqual(['tidings:quota:{u:alice}:type=MARKETING_CAMPAIGN']);
  });

  it('may be lost: the limits begin anew', async () => {
    await limits.charge(deliveries(30));
    expect(await allowedOf(limits, deliveries(1))).toBe(0);
    await forgetAll(direct);
    expect(await allowedOf(limits, deliveries(50))).toBe(30);
    await forgetScripts(direct);
    expect(await allowedOf(limits, deliveries(50, { userId: 'bob' }))).toBe(30);
  });
});

it('users with braces, colons and line breaks in their names have limits of their own', async () => {
  const strange = ['a', 'a}', '{a}', 'a}:channel=sms', 'a\nb', 'a:b', '}{', '}', '{', '\r\n$1', 'u:a'];
  const batch = strange.flatMap((userId) => deliveries(6, { userId, channel: 'sms' }));
  expect(await allowedOf(limits, batch)).toBe(5 * strange.length);
});
