import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookJobs } from '../../src/jobs/notification-webhooks.js';
import { scheduledOf, workJobs } from '../../src/platform/queues/jobs.js';
import { runSchedules } from '../../src/platform/queues/schedules.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { caller, shop, until } from './notification-world.js';
import { accepted, codesOf, openWebhookWorld, running, type WebhookWorld } from './webhook-world.js';
import { silent } from './with-sandbox.js';

const DAY_S = 86_400;

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

  it('that failed is tried again in order, and shows why; the events of other notifications go on', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    const [stuck, other] = [await world.notify(), await world.notify()];
    receiver.answer = (response, { data }) =>
      data.request_id === stuck ? response.writeHead(503).end('later') : response.writeHead(200).end();
    await until(async () => {
      await world.drain(webhookId);
      return world.numbersOf(receiver, other).length === 2;
    });
    expect(new Set(world.numbersOf(receiver, stuck)).size).toBe(1);
    const failed = await world.deliveriesOf(webhookId, true);
    expect(failed).toMatchObject([
      { eventType: 'CREATED', status: 'FAILED', lastStatusCode: 503, lastAnswer: 'later' },
    ]);
    expect(failed[0]!.lastError).toMatch(/503/);
    expect(failed[0]!.nextAttemptAt).toBeInstanceOf(Date);
    receiver.answer = (response) => response.writeHead(200).end('ok');
    await until(async () => {
      await world.drain(webhookId);
      return (await world.waiting(webhookId)) === 0;
    });
    const seen = world.numbersOf(receiver, stuck);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    expect(new Set(seen).size).toBe(2);
    expect(await world.deliveriesOf(webhookId, true)).toEqual([]);
  });

  it('is disabled after three days of failures, with an alert, and goes on where it was once it is switched on', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    const { webhooks, alerts } = world.notifications;
    // Signatures of another day are refused.
    receiver.secret = undefined;
    const requestId = await world.notify();
    receiver.answer = (response) => response.writeHead(500).end();
    await world.drain(webhookId);
    world.clock.forward(3 * DAY_S - 60);
    await world.drain(webhookId);
    expect(await world.find(webhookId)).toMatchObject({ isActive: true });
    world.clock.forward(120);
    await world.drain(webhookId);
    expect(await world.find(webhookId)).toMatchObject({
      isActive: false,
      disabledReason: expect.stringMatching(/3 days.*500/),
    });
    const alertOf = async () => (await alerts.list(true)).find(({ scope }) => scope === webhookId);
    expect(await alertOf()).toMatchObject({ name: 'webhook_disabled', severity: 'WARNING' });

    receiver.got.length = 0;
    receiver.answer = (response) => response.writeHead(204).end();
    const meanwhile = await world.notify();
    await world.drain(webhookId);
    expect(receiver.got).toEqual([]);
    accepted(await webhooks.update(shop, { webhookId, isActive: true }));
    expect(await alertOf()).toBeUndefined();
    await world.drain(webhookId);
    expect(world.numbersOf(receiver, requestId)).toHaveLength(2);
    expect(world.numbersOf(receiver, meanwhile)).toEqual([]);
    expect(await world.find(webhookId)).toMatchObject({ isActive: true, disabledReason: null });
    world.clock.forward(-3 * DAY_S - 60);
  });

  it('is disabled after three days in which its receiver took nothing, even if each event was tried only once', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    receiver.secret = undefined;
    receiver.answer = (response) => response.writeHead(500).end();
    const tryANewOne = async () => {
      // What failed waits for longer than the new one: with thousands of these it has no second turn.
      await world.postgres.query(
        `UPDATE webhook_backlogs SET due_at = now() + interval '1 hour' WHERE webhook_id = $1`,
        [webhookId],
      );
      await world.notify();
      await world.drain(webhookId);
    };
    await tryANewOne();
    world.clock.forward(3 * DAY_S - 60);
    await tryANewOne();
    expect(await world.find(webhookId)).toMatchObject({ isActive: true });
    world.clock.forward(120);
    await tryANewOne();
    expect(await world.find(webhookId)).toMatchObject({
      isActive: false,
      disabledReason: expect.stringMatching(/^No event.*3 days.*500/),
    });
    // One that takes an event in between goes on.
    accepted(await world.notifications.webhooks.update(shop, { webhookId, isActive: true }));
    await tryANewOne();
    world.clock.forward(2 * DAY_S);
    receiver.answer = (response) => response.writeHead(204).end();
    await tryANewOne();
    receiver.answer = (response) => response.writeHead(500).end();
    await tryANewOne();
    world.clock.forward(2 * DAY_S);
    await tryANewOne();
    expect(await world.find(webhookId)).toMatchObject({ isActive: true });
    world.clock.forward(-7 * DAY_S - 60);
  });

  it('is disabled at once by 410', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    await world.notify();
    receiver.answer = (response) => response.writeHead(410).end();
    await world.drain(webhookId);
    expect(await world.find(webhookId)).toMatchObject({
      isActive: false,
      disabledReason: expect.stringMatching(/410/),
    });
    expect(receiver.got).toHaveLength(1);
  });

  it.each([
    [
      'its owner switches it off and on',
      async (webhookId: string) => {
        const { webhooks } = world.notifications;
        accepted(await webhooks.update(shop, { webhookId, isActive: false }));
        accepted(await webhooks.update(shop, { webhookId, isActive: true }));
      },
    ],
    [
      'its owner switches it on again',
      async (webhookId: string) => {
        accepted(await world.notifications.webhooks.update(shop, { webhookId, isActive: true }));
      },
    ],
    [
      'it gets another URL',
      async (webhookId: string, url: string) => {
        accepted(await world.notifications.webhooks.update(shop, { webhookId, url: `${url}?new` }));
      },
    ],
  ])('is not held against what it did before: %s while an attempt fails', async (_, change) => {
    const { webhookId, receiver } = await world.aWebhook();
    const late = world.notifications.webhooks.openRelay({ random: () => 0.999 });
    const requestId = await world.notify();
    const statuses = [410, 503, 204, 204];
    receiver.answer = async (response) => {
      const status = statuses.shift()!;
      if (status !== 204) await change(webhookId, `${receiver.url}${status}`);
      response.writeHead(status).end();
    };
    await late.drain(webhookId, running);
    expect(await world.find(webhookId)).toMatchObject({ isActive: true, disabledReason: null });
    // Nothing waits for its next attempt, though these failed.
    expect(world.numbersOf(receiver, requestId)).toHaveLength(4);
    expect(await world.waiting(webhookId)).toBe(0);
    const active = await world.notifications.alerts.list(true);
    expect(active.filter(({ scope }) => scope === webhookId)).toEqual([]);
    late.close();
  });

  it('that was deleted while its last attempt fails leaves no alert', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    await world.notify();
    receiver.answer = async (response) => {
      accepted(await world.notifications.webhooks.remove(shop, webhookId));
      response.writeHead(410).end();
    };
    await world.drain(webhookId);
    const active = await world.notifications.alerts.list(true);
    expect(active.filter(({ scope }) => scope === webhookId)).toEqual([]);
  });

  it('with another URL is tried at once, as one that has not failed yet', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    receiver.secret = undefined;
    const late = world.notifications.webhooks.openRelay({ random: () => 0.999 });
    const requestId = await world.notify();
    receiver.answer = (response) => response.writeHead(500).end();
    await late.drain(webhookId, running);
    world.clock.forward(3 * DAY_S - 60);
    accepted(await world.notifications.webhooks.update(shop, { webhookId, url: `${receiver.url}?new` }));
    world.clock.forward(120);
    await world.drain(webhookId);
    expect(await world.find(webhookId)).toMatchObject({ isActive: true });
    receiver.answer = (response) => response.writeHead(204).end();
    await world.drain(webhookId);
    expect(new Set(world.numbersOf(receiver, requestId)).size).toBe(2);
    world.clock.forward(-3 * DAY_S - 60);
    late.close();
  });

  it('whose receiver takes nothing is left alone after five failures in a row', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    const late = world.notifications.webhooks.openRelay({ random: () => 0.999 });
    await Promise.all(Array.from({ length: 60 }, () => world.notify()));
    receiver.answer = (response) => response.writeHead(500).end();
    await late.drain(webhookId, running);
    const tried = receiver.got.length;
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThanOrEqual(25);
    await late.drain(webhookId, running);
    expect(receiver.got).toHaveLength(tried);
    late.close();
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
