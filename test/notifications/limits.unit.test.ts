import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import type { NotificationLimitsConfig } from '../../src/domains/notifications/config.js';
import {
  createNotificationLimits,
  type LimitedDelivery,
} from '../../src/domains/notifications/limits/limits.js';
import type { Check, Quotas } from '../../src/domains/notifications/limits/quotas.js';
import { channels } from '../../src/domains/notifications/types.js';
import { aDelivery } from './limits-world.js';

const HOUR = 3_600;
const DAY = 86_400;

/** The limits on quotas with given answers, and what they were asked. */
function onQuotas(
  answers: { charge?: Awaited<ReturnType<Quotas['charge']>>; shared?: number },
  random = 0,
  config?: NotificationLimitsConfig,
) {
  const asked: Check[] = [];
  const shared: string[] = [];
  const metrics = new Registry();
  const limits = createNotificationLimits({
    metrics,
    random: () => random,
    ...(config && { config }),
    quotas: {
      charge: async (checks) => {
        asked.push(...checks);
        return checks.map((_, index) => answers.charge?.[index] ?? null);
      },
      chargeShared: async ({ id }) => {
        shared.push(id);
        return answers.shared ?? 0;
      },
    },
  });
  return { limits, asked, shared, metrics };
}

const windowsOf = async (delivery: Partial<LimitedDelivery>) => {
  const { limits, asked } = onQuotas({});
  await limits.charge([aDelivery(delivery)]);
  return asked.flatMap(({ windows }) => windows.map(({ max, windowSeconds }) => [max, windowSeconds]));
};

const configured = (env: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: 'a secret that nothing here checks',
    ...env,
  }).notificationLimits;

describe('limits that are configured', () => {
  const withLimits = (env: Record<string, string>) => onQuotas({}, 0, configured(env));
  const windows = async (env: Record<string, string>, delivery: Partial<LimitedDelivery>) => {
    const { limits, asked } = withLimits(env);
    await limits.charge([aDelivery(delivery)]);
    return asked.flatMap(({ windows }) => windows.map(({ max, windowSeconds }) => [max, windowSeconds]));
  };

  it('take the place of the document’s, and leave the others as they are', async () => {
    const env = {
      NOTIFICATION_CHANNEL_LIMITS: 'push=100/24h, in_app=7/2d,sms=off',
      NOTIFICATION_TYPE_LIMITS: 'WEEKLY_DIGEST=1/7d',
    };
    const of = (channel: LimitedDelivery['channel'], notificationType = 'ORDER_SHIPPED') =>
      windows(env, { channel, notificationType });
    expect(await of('push')).toEqual([[100, DAY]]);
    expect(await of('in_app')).toEqual([[7, 2 * DAY]]);
    expect(await of('sms')).toEqual([]);
    expect(await of('email')).toEqual([[10, DAY]]);
    expect(await of('push', 'WEEKLY_DIGEST')).toEqual([
      [100, DAY],
      [1, 7 * DAY],
    ]);
    expect(await of('sms', 'NEW_FOLLOWER')).toEqual([[10, HOUR]]);
  });

  it('never limit what is exempt', async () => {
    const env = { NOTIFICATION_CHANNEL_LIMITS: 'push=1/1h', NOTIFICATION_TYPE_LIMITS: 'PASSWORD_RESET=1/1h' };
    expect(await windows(env, { channel: 'push', notificationType: 'PASSWORD_RESET' })).toEqual([]);
  });

  it('hold for everybody together', async () => {
    const { limits, shared } = withLimits({ NOTIFICATION_GLOBAL_LIMITS: 'push=5/1h,sms=off' });
    for (const channel of ['push', 'sms', 'email'] as const) await limits.delayOfCall(channel, 'NEW_MESSAGE');
    expect(shared).toEqual(['global=push', 'global=email']);
  });

  it.each([
    'push',
    'push=',
    'push=30',
    'push=30/h',
    'push=30/1m',
    'push=0/1h',
    'push=1001/1h',
    'push=30/0h',
    'push=30/31d',
    'psh=30/1h',
    'push=30/1h,',
    'push=on',
    '__proto__=1/1h',
  ])('are refused at the start where they are no limits: %s', (text) => {
    expect(() => configured({ NOTIFICATION_CHANNEL_LIMITS: text })).toThrow(/NOTIFICATION_CHANNEL_LIMITS/);
  });
});

describe('what a user may get', () => {
  it.each([
    ['push', [[30, HOUR]]],
    ['sms', [[5, HOUR]]],
    ['email', [[10, DAY]]],
    ['in_app', []],
  ] as const)('on %s is what the document’s table says', async (channel, expected) => {
    expect(await windowsOf({ channel, notificationType: 'ORDER_SHIPPED' })).toEqual(expected);
    expect(await windowsOf({ channel, notificationType: 'UNHEARD_OF' })).toEqual(expected);
  });

  it.each([
    ['NEW_FOLLOWER', [10, HOUR]],
    ['COMMENT_REPLY', [20, HOUR]],
    ['MARKETING_CAMPAIGN', [1, DAY]],
    ['POST_LIKED', [20, HOUR]],
    ['POST_COMMENTED', [20, HOUR]],
    ['POST_SHARED', [20, HOUR]],
    ['NEW_POST', [20, HOUR]],
    ['USER_MENTIONED', [20, HOUR]],
  ] as const)('of %s is limited besides, on every channel', async (notificationType, expected) => {
    expect(await windowsOf({ channel: 'push', notificationType })).toEqual([[30, HOUR], expected]);
    expect(await windowsOf({ channel: 'in_app', notificationType })).toEqual([expected]);
  });

  it.each(['VERIFICATION_CODE', 'SECURITY_ALERT', 'PASSWORD_RESET', 'PAYMENT_FAILED'])(
    'of %s is not limited at all, and no counter is asked',
    async (notificationType) => {
      const { limits, asked, shared } = onQuotas({ shared: 1 });
      const deliveries = channels.map((channel) => aDelivery({ channel, notificationType }));
      expect(await limits.charge(deliveries)).toEqual(channels.map(() => ({ allowed: true })));
      for (const channel of channels) expect(await limits.delayOfCall(channel, notificationType)).toBe(0);
      expect([...asked, ...shared]).toEqual([]);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'of a type called %s has no limit of its own',
    async (name) => {
      expect(await windowsOf({ channel: 'in_app', notificationType: name })).toEqual([]);
    },
  );
});

describe('a refusal', () => {
  it('says which limit is reached, and comes at the place of its delivery, also behind those that are not limited', async () => {
    const { limits, metrics } = onQuotas({
      charge: [null, { window: 1, retryAfterMs: 7 }, { window: 0, retryAfterMs: 9 }],
    });
    const verdicts = await limits.charge([
      aDelivery({ notificationType: 'PASSWORD_RESET' }),
      aDelivery({ channel: 'push' }),
      aDelivery({ channel: 'in_app' }),
      aDelivery({ channel: 'email', notificationType: 'COMMENT_REPLY' }),
      aDelivery({ channel: 'sms' }),
    ]);
    expect(verdicts).toEqual([
      { allowed: true },
      { allowed: true },
      { allowed: true },
      { allowed: false, limit: 'type', max: 20, windowSeconds: HOUR, retryAfterMs: 7 },
      { allowed: false, limit: 'channel', max: 5, windowSeconds: HOUR, retryAfterMs: 9 },
    ]);
    const counted = await metrics.metrics();
    expect(counted).toContain('notification_rate_limited_total{user_type="type",channel="email"} 1');
    expect(counted).toContain('notification_rate_limited_total{user_type="channel",channel="sms"} 1');
    expect(counted).toContain('notification_rate_limited_total{user_type="channel",channel="push"} 0');
  });
});

describe('a notification’s name in the limits', () => {
  const nameOf = async (producer: string, notificationId: string) => {
    const { limits, asked } = onQuotas({});
    await limits.charge([aDelivery({ producer, notificationId })]);
    return asked[0]!.name;
  };

  it('is short, and the same on every channel and for every user', async () => {
    const { limits, asked } = onQuotas({});
    const one = { producer: 'shop', notificationId: 'n'.repeat(64) };
    await limits.charge([
      aDelivery({ ...one, channel: 'push' }),
      aDelivery({ ...one, channel: 'sms' }),
      aDelivery(),
      aDelivery({ ...one, channel: 'sms', userId: 'bob' }),
    ]);
    const [first, second, other, third] = asked.map(({ name }) => name);
    expect(new Set([first, second, third]).size).toBe(1);
    expect(other).not.toBe(first);
    expect(Buffer.from(first!, 'base64url')).toHaveLength(16);
  });

  it('is another for another producer, however ids are made up', async () => {
    const pairs = [
      ['a', 'b,c'],
      ['a,b', 'c'],
      ['a","b', 'c'],
      ['a', '","b","c'],
      ['', 'abc'],
      ['abc', ''],
      ['a', 'bc'],
      ['ab', 'c'],
    ] as const;
    const names = await Promise.all(pairs.map(([producer, id]) => nameOf(producer, id)));
    expect(new Set(names).size).toBe(pairs.length);
  });
});

describe('a call to a provider', () => {
  it('is counted where its channel has a global limit, and nowhere else', async () => {
    const { limits, shared } = onQuotas({});
    for (const channel of channels) expect(await limits.delayOfCall(channel, 'ORDER_SHIPPED')).toBe(0);
    expect(shared).toEqual(['global=sms', 'global=email']);
  });

  it('that does not fit waits for its time, a second at least, and up to a tenth of the window longer', async () => {
    const delay = (shared: number, random: number) =>
      onQuotas({ shared }, random).limits.delayOfCall('sms', 'NEW_MESSAGE');
    expect(await delay(90_000, 0)).toBe(90_000);
    expect(await delay(90_000, 0.5)).toBe(90_000 + 180_000);
    expect(await delay(90_000, 1 - Number.EPSILON)).toBeLessThanOrEqual(90_000 + 360_000);
    expect(await delay(1, 0)).toBe(1_000);
  });

  it('that waits is counted by the metric', async () => {
    const { limits, metrics } = onQuotas({ shared: 5 });
    await limits.delayOfCall('email', 'NEW_MESSAGE');
    expect(await metrics.metrics()).toContain(
      'notification_rate_limited_total{user_type="global",channel="email"} 1',
    );
  });
});
