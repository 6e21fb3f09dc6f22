import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookJobs } from '../../src/jobs/notification-webhooks.js';
import { scheduledOf, workJobs } from '../../src/platform/queues/jobs.js';
import { runSchedules } from '../../src/platform/queues/schedules.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { caller, shop, until } from './notification-world.js';
import { accepted, codesOf, openWebhookWorld, type WebhookWorld } from './webhook-world.js';
import { silent } from './with-sandbox.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterEach(() => world.switchOff());
afterAll(() => world?.close());

describe('a webhook', () => {
  it('gets each event that it wants of its own notifications, signed, in order, and nothing else', async () => {
    const all = await world.aWebhook({ eventTypes: ['CREATED', 'VALIDATED', 'RENDERED', 'QUEUED'] });
    const some = await world.aWebhook({ eventTypes: ['QUEUED'], notificationTypes: ['ORDER_SHIPPED'] });
    const none = await world.aWebhook({ notificationTypes: ['NEW_MESSAGE'] });
    const others = await world.aWebhook({ caller: caller('other', 'producer') });
    const requestIds = await Promise.all([1, 3].map((users) => world.notify({ users })));
    const theirs = await world.notify({ caller: caller('other', 'producer') });
    for (const { webhookId } of [all, some, none, others]) await world.drain(webhookId);

    for (const requestId of requestIds) {
      const { rows } = await world.postgres.query<{ number: number; event: string }>(
        `SELECT number, event FROM ${LIFECYCLE_EVENTS} AS e WHERE request_id = $1 ORDER BY number`,
        [requestId],
      );
      const wanted = (types: readonly string[]) =>
        rows.filter(({ event }) => types.includes(event)).map(({ number }) => number);
      expect(world.numbersOf(all.receiver, requestId)).toEqual(
        wanted(['CREATED', 'VALIDATED', 'RENDERED', 'QUEUED']),
      );
      expect(world.numbersOf(some.receiver, requestId)).toEqual(wanted(['QUEUED']));
    }
    expect(none.receiver.got).toEqual([]);
    expect(new Set(others.receiver.got.map(({ data }) => data.request_id))).toEqual(new Set([theirs]));
    const { id, type, data } = some.receiver.got[0]!;
    expect(type).toBe('QUEUED');
    expect(data).toMatchObject({ channel: 'in_app', notification_type: 'ORDER_SHIPPED', status: 'QUEUED' });
    const [delivery] = (await world.deliveriesOf(some.webhookId)).filter((one) => one.deliveryId === id);
    expect(delivery).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      lastStatusCode: 204,
      lastError: null,
    });
    expect(await world.waiting(all.webhookId)).toBe(0);
  });

  it('is sent by the secret that it was given last, and by the one before for a day', async () => {
    const { webhookId, receiver, secret } = await world.aWebhook();
    const rotated = accepted(await world.notifications.webhooks.rotateSecret(shop, webhookId));
    expect(rotated.secret).not.toBe(secret);
    for (const verifying of [secret, rotated.secret]) {
      receiver.secret = verifying;
      const requestId = await world.notify();
      await world.drain(webhookId);
      expect(world.numbersOf(receiver, requestId)).toHaveLength(2);
    }
    await world.postgres.query(`UPDATE webhooks SET former_until = now() WHERE webhook_id = $1`, [webhookId]);
    receiver.secret = secret;
    const refused = await world.notify();
    await world.drain(webhookId);
    expect(world.numbersOf(receiver, refused)).toEqual([]);
    expect(await world.deliveriesOf(webhookId, true)).toMatchObject([{ lastStatusCode: 401 }]);
  });

  it('gets again what it is asked to, one or all since a time, also what it had taken', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    const { webhooks } = world.notifications;
    const since = new Date(Date.now() - 1_000);
    const requestIds = [await world.notify(), await world.notify()];
    await world.drain(webhookId);
    const [{ id }] = receiver.got as [(typeof receiver.got)[0]];
    receiver.got.length = 0;
    const one = await webhooks.replay(shop, { webhookId, deliveryId: id });
    expect(one).toMatchObject({ ok: true, value: { queued: 1, nextSince: null } });
    await world.drain(webhookId);
    expect(receiver.got.map((got) => got.id)).toEqual([id]);

    receiver.got.length = 0;
    world.clock.forward(60);
    expect(accepted(await webhooks.replay(shop, { webhookId, since }))).toMatchObject({
      queued: 4,
      nextSince: null,
    });
    await world.drain(webhookId);
    for (const requestId of requestIds) {
      const numbers = world.numbersOf(receiver, requestId);
      expect(numbers).toHaveLength(2);
      expect(numbers[0]).toBeLessThan(numbers[1]!);
    }
    expect((await world.deliveriesOf(webhookId)).map(({ attempts }) => attempts).sort()).toEqual([
      2, 2, 2, 3,
    ]);

    const foreign = (await world.aWebhook()).webhookId;
    expect(codesOf(await webhooks.replay(shop, { webhookId: foreign, deliveryId: id }))).toEqual([
      'DELIVERY_NOT_FOUND',
    ]);
    expect(codesOf(await webhooks.replay(shop, { webhookId }))).toEqual(['REPLAY_WHAT']);
    expect(codesOf(await webhooks.replay(shop, { webhookId, deliveryId: id, since }))).toEqual([
      'REPLAY_WHAT',
    ]);
  });

  it('is replayed call by call to the end, also where one instant has more events than a call queues', async () => {
    const { webhookId } = await world.aWebhook();
    const made = (at: string, count: number) =>
      world.postgres.query(
        `INSERT INTO webhook_deliveries (delivery_id, webhook_id, subject, number, event_type, data, happened_at, status, created_at)
         SELECT gen_random_uuid(), $1, 'subject-' || n % 10, n, 'CREATED', '{}', $2, 'DELIVERED', $2 FROM generate_series(1, $3::int) AS n`,
        [webhookId, at, count],
      );
    await made('2026-01-01T12:00:00.001Z', 1);
    await made('2026-01-01T12:00:00.002Z', 12_500);
    await made('2026-01-01T12:00:00.003Z', 10_000);
    await made('2026-01-01T12:00:00.004Z', 3);
    const calls: number[] = [];
    for (let since: Date | null = new Date('2026-01-01T12:00:00Z'); since && calls.length < 10; ) {
      const replayed = await world.notifications.webhooks.replay(shop, { webhookId, since });
      calls.push(accepted(replayed).queued);
      since = accepted(replayed).nextSince;
    }
    expect(calls).toEqual([12_501, 10_000, 3]);
    const { rows } = await world.postgres.query(
      'SELECT status, count(*)::int AS count FROM webhook_deliveries WHERE webhook_id = $1 GROUP BY status',
      [webhookId],
    );
    expect(rows).toEqual([{ status: 'PENDING', count: 22_504 }]);
  });

  it('that is deleted or switched off gets nothing, and what waited is forgotten with it', async () => {
    const { webhooks } = world.notifications;
    const [gone, off] = [await world.aWebhook(), await world.aWebhook()];
    await world.notify();
    accepted(await webhooks.remove(shop, gone.webhookId));
    accepted(await webhooks.update(shop, { webhookId: off.webhookId, isActive: false }));
    for (const { webhookId, receiver } of [gone, off]) {
      const before = await world.waiting(webhookId);
      await world.notify();
      expect(await world.waiting(webhookId)).toBe(before);
      await world.drain(webhookId);
      expect(receiver.got).toEqual([]);
    }
    expect(codesOf(await webhooks.remove(shop, gone.webhookId))).toEqual(['NOT_FOUND']);
    for (const forget of world.relay.forgets) await forget(1_000);
    expect(await world.waiting(gone.webhookId)).toBe(0);
    expect(await world.waiting(off.webhookId)).toBe(1);
  });
});

it('a receiver that never answers delays nobody else, and gets no more than twenty requests at once', async () => {
  const [slow, fast] = [await world.aWebhook(), await world.aWebhook()];
  slow.receiver.answer = () => undefined;
  const work = webhookJobs({ relay: world.relay });
  const jobs = workJobs({ urls: world.redisUrl.split(',') }, work, silent);
  const schedules = runSchedules(scheduledOf(work), { ...world, logger: silent, metrics: new Registry() });
  const began = performance.now();
  await Promise.all(Array.from({ length: 100 }, () => world.notify()));
  await until(() => fast.receiver.got.length === 200);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(slow.receiver.got.length).toBeGreaterThan(0);
  expect(slow.receiver.got.length).toBeLessThanOrEqual(20);
  await Promise.all([jobs.close(), schedules.close()]);
});
