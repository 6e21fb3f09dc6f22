import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerDevice } from '../../src/domains/notifications/devices/register.js';
import { systemClock } from '../../src/platform/clock.js';
import { keysLike } from '../support/redis.js';
import { ACCEPTED, type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aUser, timelineOf, until } from './notification-world.js';

let pushes: DeliveryTrial;

beforeAll(async () => {
  pushes = await openDeliveryTrial();
});
beforeEach(() => pushes.trial.reset());
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

async function latencySum(): Promise<number> {
  const text = await pushes.world.metrics.getSingleMetricAsString('notification_latency_seconds');
  const sums = [...text.matchAll(/^notification_latency_seconds_sum\S* (\S+)$/gm)];
  return sums.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

describe('a push', () => {
  it('reaches the phone and is delivered, with its whole timeline', async () => {
    pushes.startWorker();
    const { userId, token } = await aUser(pushes.world);
    const delivery = await pushes.inStatus(
      await pushes.push(userId, { name: 'Ann', priority: 'high' }),
      'DELIVERED',
    );
    expect(await pushes.textsTo(token)).toEqual(['Ann']);
    expect(await timelineOf(pushes.world, delivery.deliveryId)).toEqual([...ACCEPTED, 'SENT', 'DELIVERED']);
    expect(await pushes.world.metrics.metrics()).toMatch(
      /notification_delivery_total\{channel="push",status="DELIVERED"\} [1-9]/,
    );
  });

  it('reaches a browser whose endpoint is long, and forgets it by that endpoint once it is gone', async () => {
    pushes.startWorker();
    const { world, trial } = pushes;
    const { userId } = await aUser(world);
    await world.notifications.unregisterDevice(userId, `${userId}-phone`);
    const subscription = JSON.parse(await trial.subscribe());
    const endpoint = `${subscription.endpoint}?token=`.padEnd(1_024, 'x');
    const { ok } = await registerDevice(
      {
        postgres: world.postgres,
        clock: systemClock,
        freshness: { userChanged: async () => undefined },
        webPushHosts: trial.config.webPush?.hosts ?? [],
      },
      userId,
      {
        deviceId: 'edge',
        platform: 'web',
        deviceToken: JSON.stringify({ ...subscription, endpoint }),
      },
    );
    expect(ok).toBe(true);
    await pushes.inStatus(await pushes.push(userId), 'DELIVERED');
    expect(await trial.received('?channel=push')).toMatchObject([{ provider: 'web-push' }]);
    await trial.misbehave({ channel: 'push', status: 410 });
    await pushes.inStatus(await pushes.push(userId), 'DEAD');
    expect(await world.notifications.devices(userId)).toEqual([]);
  });

  it('to one user comes in the order of acceptance, however many there are', async () => {
    const { userId, token } = await aUser(pushes.world);
    const names = Array.from({ length: 25 }, (_, index) => `n${index}`);
    let last = '';
    for (const name of names) last = await pushes.push(userId, { name });
    pushes.startWorker();
    await pushes.inStatus(last, 'DELIVERED');
    expect(await pushes.textsTo(token)).toEqual(names);
  });

  it('is not sent after its expiry', async () => {
    const { userId, token } = await aUser(pushes.world);
    const notificationId = await pushes.push(userId, { expiresAt: new Date(Date.now() + 3_600_000) });
    await pushes.world.postgres.query(
      `UPDATE deliveries SET expires_at = expires_at - interval '2 hours' WHERE notification_id = $1`,
      [notificationId],
    );
    pushes.startWorker();
    const delivery = await pushes.inStatus(notificationId, 'EXPIRED');
    expect(await timelineOf(pushes.world, delivery.deliveryId)).toEqual([...ACCEPTED, 'EXPIRED']);
    expect(await pushes.textsTo(token)).toEqual([]);
  });
});

describe('a provider that fails', () => {
  it('is tried again until it takes the message', async () => {
    pushes.startWorker();
    const { userId } = await aUser(pushes.world);
    await pushes.trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 2 });
    const measuredBefore = await latencySum();
    const delivery = await pushes.inStatus(await pushes.push(userId), 'DELIVERED');
    expect(delivery.attempt).toBe(2);
    // Its latency counts from its creation, the time between its attempts included.
    const { rows } = await pushes.world.postgres.query<{ seconds: number }>(
      `SELECT extract(epoch FROM e.at - d.created_at)::float8 AS seconds FROM deliveries d
       JOIN delivery_events e USING (delivery_id) WHERE d.delivery_id = $1 AND e.event = 'DELIVERED'`,
      [delivery.deliveryId],
    );
    await until(async () => (await latencySum()) > measuredBefore);
    expect((await latencySum()) - measuredBefore).toBeCloseTo(rows[0]!.seconds, 1);
    expect(await timelineOf(pushes.world, delivery.deliveryId)).toEqual([
      ...ACCEPTED,
      'FAILED',
      'RETRY',
      'FAILED',
      'RETRY',
      'SENT',
      'DELIVERED',
    ]);
  });

  it('does not make the successors wait', async () => {
    pushes.startWorker({ random: () => 0.99 });
    const { userId, token } = await aUser(pushes.world);
    await pushes.trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 1 });
    const first = await pushes.push(userId, { name: 'first' });
    await pushes.inStatus(first, 'RETRYING');
    await pushes.inStatus(await pushes.push(userId, { name: 'second' }), 'DELIVERED');
    await pushes.inStatus(first, 'DELIVERED');
    expect(await pushes.textsTo(token)).toEqual(['second', 'first']);
  });

  it('for good leaves a dead letter after the last retry: 1 call and 3 more at high priority', async () => {
    pushes.startWorker();
    const { userId } = await aUser(pushes.world);
    await pushes.trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable' });
    const delivery = await pushes.inStatus(await pushes.push(userId, { priority: 'high' }), 'DEAD');
    const timeline = await timelineOf(pushes.world, delivery.deliveryId);
    expect(timeline.filter((event) => event === 'FAILED')).toHaveLength(4);
    expect(timeline.at(-1)).toBe('DLQ');
    const { rows } = await pushes.world.postgres.query(
      'SELECT * FROM failed_notifications WHERE delivery_id = $1',
      [delivery.deliveryId],
    );
    expect(rows).toMatchObject([{ user_id: userId, channel: 'push', attempts: 4 }]);
    await until(async () => (await keysLike(pushes.world.redis, '{tidings:notifications.dlq}*')).length > 0);
  });

  it('is left alone for as long as it asks, without using up an attempt', async () => {
    pushes.startWorker();
    const { userId } = await aUser(pushes.world);
    await pushes.trial.misbehave({
      channel: 'push',
      status: 429,
      reason: 'TooManyRequests',
      retryAfter: 1,
      times: 1,
    });
    const delivery = await pushes.inStatus(await pushes.push(userId), 'DELIVERED');
    expect(delivery.attempt).toBe(0);
  });

  it('with 410 costs the phone its token; a token that came since stays', async () => {
    pushes.startWorker();
    const { userId, token } = await aUser(pushes.world);
    await pushes.trial.misbehave({ channel: 'push', status: 410, reason: 'Unregistered' });
    const delivery = await pushes.inStatus(await pushes.push(userId), 'DEAD');
    expect(delivery.lastError).toContain('TOKEN_EXPIRED');
    expect(await pushes.world.notifications.devices(userId)).toEqual([]);
    await pushes.trial.reset();
    await pushes.trial.misbehave({ channel: 'push', status: 410, reason: 'Unregistered', latencyMs: 300 });
    const register = () =>
      pushes.world.notifications.registerDevice(userId, {
        deviceId: 'phone',
        platform: 'ios',
        deviceToken: token,
      });
    await register();
    const second = await pushes.push(userId);
    await until(async () => {
      const { rows } = await pushes.world.postgres.query<{ leased: boolean }>(
        `SELECT p.lease_token IS NOT NULL AS leased FROM deliveries JOIN pending_deliveries p USING (delivery_id)
         WHERE notification_id = $1`,
        [second],
      );
      return rows[0]?.leased;
    });
    await register();
    await pushes.inStatus(second, 'DEAD');
    expect(await pushes.world.notifications.devices(userId)).toHaveLength(1);
  });

  it('with 410 costs no phone that registered since the time that Apple names', async () => {
    pushes.startWorker();
    for (const [deadFor, left] of [
      [60_000, 1],
      [-60_000, 0],
    ] as const) {
      const { userId } = await aUser(pushes.world);
      const deadSince = Date.now() - deadFor;
      await pushes.trial.misbehave({ channel: 'push', status: 410, reason: 'Unregistered', deadSince });
      await pushes.inStatus(await pushes.push(userId), 'DEAD');
      expect(await pushes.world.notifications.devices(userId)).toHaveLength(left);
    }
  });

  it('for one of two phones is asked again for that phone alone', async () => {
    pushes.startWorker();
    const { userId, token } = await aUser(pushes.world);
    const android = `fcm-${randomUUID()}`;
    await pushes.world.notifications.registerDevice(userId, {
      deviceId: 'tablet',
      platform: 'android',
      deviceToken: android,
    });
    await pushes.trial.misbehave({
      channel: 'push',
      provider: 'fcm',
      status: 503,
      reason: 'UNAVAILABLE',
      times: 1,
    });
    const delivery = await pushes.inStatus(await pushes.push(userId, { name: 'Ann' }), 'DELIVERED');
    expect(await pushes.textsTo(token)).toEqual(['Ann']);
    expect(await pushes.textsTo(android)).toEqual(['Ann']);
    expect(await timelineOf(pushes.world, delivery.deliveryId)).toEqual([
      ...ACCEPTED,
      'SENT',
      'FAILED',
      'RETRY',
      'DELIVERED',
    ]);
  });
});
