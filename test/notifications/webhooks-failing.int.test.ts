import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shop, until } from './notification-world.js';
import { accepted, openWebhookWorld, running, type WebhookWorld } from './webhook-world.js';

const DAY_S = 86_400;

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterEach(() => world.switchOff());
afterAll(() => world?.close());

describe('a webhook whose receiver fails', () => {
  it('is tried again in order, and shows why; the events of other notifications go on', async () => {
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

  it('leaves no alert where it was deleted while its last attempt fails', async () => {
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

  it('is tried at once at another URL, as one that has not failed yet', async () => {
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

  it('is left alone after five failures in a row', async () => {
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
});
