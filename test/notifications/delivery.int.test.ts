import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scheduleNotificationTasks } from '../../src/jobs/notifications.js';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  storyOf,
  unique,
  until,
} from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let templateId: string;
let worker: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', { title: 'On its way' });
});
beforeEach(() => trial.reset());
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});
afterAll(async () => {
  await world.close();
  await trial.close();
});

/** A worker whose retries come at once. */
function startWorker(leaseMs?: number): void {
  worker = world.work({ providers: trial.providers(), random: () => 0, ...(leaseMs && { leaseMs }) });
}

/** Sends one push and answers its notification id. */
async function push(
  userId: string,
  own: { name?: string; priority?: 'high' | 'low'; expiresAt?: Date } = {},
) {
  const { name, ...rest } = own;
  const recipients = [{ userId, channels: ['push' as const], ...(name && { variables: { name } }) }];
  const request = aRequest({ templateId, recipients, ...rest });
  const result = await world.notifications.send(shop, request);
  expect(result).toMatchObject({ ok: true });
  return request.notificationId;
}

const firstOf = async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!;
const inStatus = (notificationId: string, status: string, timeoutMs?: number) =>
  until(async () => {
    const delivery = await firstOf(notificationId);
    return delivery.status === status && delivery;
  }, timeoutMs);
const textsTo = async (token: string) =>
  (await trial.received(`?channel=push&to=${token}`)).map(
    ({ body }) => /Hello ([\w-]*)/.exec(JSON.stringify(body))?.[1],
  );
const ACCEPTED = ['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'QUEUED'];

describe('a push', () => {
  it('reaches the phone and is delivered, with its whole story', async () => {
    startWorker();
    const { userId, token } = await aUser(world);
    const delivery = await inStatus(await push(userId, { name: 'Ann', priority: 'high' }), 'DELIVERED');
    expect(await textsTo(token)).toEqual(['Ann']);
    expect(await storyOf(world, delivery.deliveryId)).toEqual([...ACCEPTED, 'SENT', 'DELIVERED']);
    expect(await world.metrics.metrics()).toMatch(
      /notification_delivery_total\{channel="push",status="DELIVERED"\} [1-9]/,
    );
  });

  it('to one user comes in the order of acceptance, however many there are', async () => {
    const { userId, token } = await aUser(world);
    const names = Array.from({ length: 45 }, (_, index) => `n${index}`);
    let last = '';
    for (const name of names) last = await push(userId, { name });
    startWorker();
    await inStatus(last, 'DELIVERED');
    expect(await textsTo(token)).toEqual(names);
  });

  it('is not sent after its expiry', async () => {
    const { userId, token } = await aUser(world);
    const notificationId = await push(userId, { expiresAt: new Date(Date.now() + 100) });
    await until(async () => (await firstOf(notificationId)).expiresAt!.getTime() < Date.now());
    startWorker();
    const delivery = await inStatus(notificationId, 'EXPIRED');
    expect(await storyOf(world, delivery.deliveryId)).toEqual([...ACCEPTED, 'EXPIRED']);
    expect(await textsTo(token)).toEqual([]);
  });
});

describe('a provider that fails', () => {
  it('is tried again until it takes the message', async () => {
    startWorker();
    const { userId } = await aUser(world);
    await trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 2 });
    const delivery = await inStatus(await push(userId), 'DELIVERED');
    expect(delivery.attempt).toBe(2);
    expect(await storyOf(world, delivery.deliveryId)).toEqual([
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
    worker = world.work({ providers: trial.providers(), random: () => 0.99 });
    const { userId, token } = await aUser(world);
    await trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 1 });
    const first = await push(userId, { name: 'first' });
    await inStatus(first, 'RETRYING');
    await inStatus(await push(userId, { name: 'second' }), 'DELIVERED');
    await inStatus(first, 'DELIVERED');
    expect(await textsTo(token)).toEqual(['second', 'first']);
  });

  it('for good leaves a dead letter after the last retry: 1 call and 3 more at high priority', async () => {
    startWorker();
    const { userId } = await aUser(world);
    await trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable' });
    const delivery = await inStatus(await push(userId, { priority: 'high' }), 'DEAD');
    const story = await storyOf(world, delivery.deliveryId);
    expect(story.filter((event) => event === 'FAILED')).toHaveLength(4);
    expect(story.at(-1)).toBe('DLQ');
    const { rows } = await world.postgres.query('SELECT * FROM failed_notifications WHERE delivery_id = $1', [
      delivery.deliveryId,
    ]);
    expect(rows).toMatchObject([{ user_id: userId, channel: 'push', attempts: 4 }]);
    await until(async () => (await world.redis.keys('{tidings:notifications.dlq}*')).length > 0);
  });

  it('is left alone for as long as it asks, without using up an attempt', async () => {
    startWorker();
    const { userId } = await aUser(world);
    await trial.misbehave({
      channel: 'push',
      status: 429,
      reason: 'TooManyRequests',
      retryAfter: 1,
      times: 1,
    });
    const delivery = await inStatus(await push(userId), 'DELIVERED');
    expect(delivery.attempt).toBe(0);
  });

  it('with 410 costs the phone its token; a token that came since stays', async () => {
    startWorker();
    const { userId, token } = await aUser(world);
    await trial.misbehave({ channel: 'push', status: 410, reason: 'Unregistered' });
    const delivery = await inStatus(await push(userId), 'DEAD');
    expect(delivery.lastError).toContain('TOKEN_EXPIRED');
    expect(await world.notifications.devices(userId)).toEqual([]);
    await trial.reset();
    await trial.misbehave({ channel: 'push', status: 410, reason: 'Unregistered', latencyMs: 300 });
    const register = () =>
      world.notifications.registerDevice(userId, { deviceId: 'phone', platform: 'ios', deviceToken: token });
    await register();
    const second = await push(userId);
    await until(async () => {
      const { rows } = await world.postgres.query<{ leased: boolean }>(
        'SELECT lease_token IS NOT NULL AS leased FROM deliveries WHERE notification_id = $1',
        [second],
      );
      return rows[0]?.leased;
    });
    await register();
    await inStatus(second, 'DEAD');
    expect(await world.notifications.devices(userId)).toHaveLength(1);
  });

  it('for one of two phones is asked again for that phone alone', async () => {
    startWorker();
    const { userId, token } = await aUser(world);
    const android = `fcm-${randomUUID()}`;
    await world.notifications.registerDevice(userId, {
      deviceId: 'tablet',
      platform: 'android',
      deviceToken: android,
    });
    await trial.misbehave({ channel: 'push', provider: 'fcm', status: 503, reason: 'UNAVAILABLE', times: 1 });
    const delivery = await inStatus(await push(userId, { name: 'Ann' }), 'DELIVERED');
    expect(await textsTo(token)).toEqual(['Ann']);
    expect(await textsTo(android)).toEqual(['Ann']);
    expect(await storyOf(world, delivery.deliveryId)).toEqual([
      ...ACCEPTED,
      'SENT',
      'FAILED',
      'RETRY',
      'DELIVERED',
    ]);
  });
});

describe('nothing is lost', () => {
  it('where a worker is closed in the middle and another one goes on', async () => {
    const { userId, token } = await aUser(world);
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    let last = '';
    for (const name of names) last = await push(userId, { name });
    await trial.misbehave({ channel: 'push', latencyMs: 30 });
    startWorker();
    await until(async () => (await textsTo(token)).length >= 3);
    await worker!.close();
    const sent = (await textsTo(token)).length;
    expect(sent).toBeLessThan(12);
    startWorker();
    await inStatus(last, 'DELIVERED');
    expect(await textsTo(token)).toEqual(names);
  });

  it('where Redis forgets everything in the middle', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => aUser(world)));
    const sent = await Promise.all(users.map(({ userId }) => push(userId, { priority: 'low' })));
    await trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 3 });
    await scheduleNotificationTasks(world.queues);
    await world.redis.flushall();
    startWorker();
    for (const notificationId of sent) await inStatus(notificationId, 'DELIVERED', 30_000);
  }, 60_000);

  it('where a worker dies with a lease: the lease ends, the sweeper rings, another one sends', async () => {
    const { userId } = await aUser(world);
    const notificationId = await push(userId);
    const dying = world.notifications.openDelivery({ providers: trial.providers(), leaseMs: 200 });
    await world.redis.flushall();
    await world.postgres.query(
      `UPDATE deliveries SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '200 ms',
                             created_at = created_at - interval '10 s'
       WHERE notification_id = $1`,
      [notificationId],
    );
    startWorker();
    await until(() => dying.sweep('test'));
    await inStatus(notificationId, 'DELIVERED');
  });

  it('where a worker dies with a lease: a doorbell finds it, and rings again when the lease ends', async () => {
    const { userId, token } = await aUser(world);
    const first = await push(userId, { name: 'first' });
    await world.postgres.query(
      `UPDATE deliveries SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 s'
       WHERE notification_id = $1`,
      [first],
    );
    startWorker();
    const second = await push(userId, { name: 'second' });
    await inStatus(first, 'DELIVERED', 5_000);
    await inStatus(second, 'DELIVERED', 5_000);
    expect(await textsTo(token)).toEqual(['first', 'second']);
  });

  it('and nothing is written by a worker whose lease went to another one', async () => {
    const { createMailboxes } = await import('../../src/domains/notifications/delivery/mailbox.js');
    const { decideOutcome } = await import('../../src/domains/notifications/delivery/outcome.js');
    const { queueOf } = await import('../../src/domains/notifications/delivery/tasks.js');
    const { userId } = await aUser(world);
    const notificationId = await push(userId);
    const mailbox = { userId, queue: queueOf('push', 'medium') };
    const ids = { next: () => randomUUID() };
    const quick = createMailboxes(world.postgres, ids, 1);
    const slow = createMailboxes(world.postgres, ids, 60_000);
    const claimed = async (from: typeof quick) => {
      const claim = await from.claim(mailbox);
      return claim.kind === 'claimed' && claim.delivery;
    };
    const first = await until(() => claimed(quick));
    const second = await until(() => claimed(slow));
    expect(await slow.claim(mailbox)).toMatchObject({ kind: 'held', leaseToken: second.leaseToken });
    const finish = (delivery: typeof first) => {
      const call = {
        target: delivery.targets[0]!,
        startedAt: new Date(),
        outcome: { kind: 'delivered' as const },
      };
      return decideOutcome(delivery, [call], Date.now(), 0);
    };
    expect(await quick.apply(finish(first))).toBe(false);
    expect((await firstOf(notificationId)).status).toBe('QUEUED');
    expect(await slow.apply(finish(second))).toBe(true);
    expect(await quick.apply(finish(first))).toBe(false);
    const delivery = await firstOf(notificationId);
    expect(await storyOf(world, delivery.deliveryId)).toEqual([...ACCEPTED, 'SENT', 'DELIVERED']);
  });
});

describe('the sweeper', () => {
  it('makes the lifecycle partitions of the coming days, once', async () => {
    const room = world.notifications.openDelivery({ providers: trial.providers() });
    await Promise.all([room.sweep('test'), room.sweep('test')]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const { rows } = await world.postgres.query<{ bounds: string }>(
      `SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'delivery_events'::regclass ORDER BY c.relname`,
    );
    expect(
      rows.filter(({ bounds }) => bounds.startsWith(`FOR VALUES FROM ('${tomorrow} 00:00:00+00')`)),
    ).toHaveLength(1);
    expect(rows).toHaveLength(3);
  });
});

describe('mail and SMS', () => {
  it('are sent when the provider takes them, and move only forward as it reports', async () => {
    startWorker();
    const mail = await aTemplate(world, 'email', unique('MAIL'), {
      subject: 'Hi',
      htmlBody: '<p>{{name}}</p>',
    });
    const { userId } = await aUser(world);
    const request = aRequest({
      templateId: mail,
      recipients: [{ userId, channels: ['email'], variables: { name: '<b>' } }],
    });
    await world.notifications.send(shop, request);
    const { deliveryId } = await inStatus(request.notificationId, 'SENT');
    const [received] = await trial.received(`?channel=email&to=${userId}@example.com`);
    expect(JSON.stringify(received?.body)).toContain('<p>&lt;b&gt;</p>');
    const report = (kind: 'delivered' | 'opened' | 'clicked' | 'failed') =>
      world.notifications.report({ deliveryId, kind }, 'test');
    expect(await report('opened')).toBe(true);
    expect(await report('delivered')).toBe(false);
    expect(await report('failed')).toBe(false);
    expect(await report('clicked')).toBe(true);
    expect(await report('clicked')).toBe(false);
    expect(await storyOf(world, deliveryId)).toEqual([...ACCEPTED, 'SENT', 'DELIVERED', 'OPENED', 'CLICKED']);
  });

  it('are dead once the provider reports failure', async () => {
    startWorker();
    const sms = await aTemplate(world, 'sms', unique('SMS'));
    const { userId } = await aUser(world);
    const request = aRequest({
      templateId: sms,
      priority: 'low',
      recipients: [{ userId, channels: ['sms'] }],
    });
    await world.notifications.send(shop, request);
    const { deliveryId } = await inStatus(request.notificationId, 'SENT');
    await world.notifications.report({ deliveryId, kind: 'failed', reason: 'undelivered: 30003' }, 'test');
    expect(await firstOf(request.notificationId)).toMatchObject({
      status: 'DEAD',
      lastError: 'undelivered: 30003',
    });
  });
});
