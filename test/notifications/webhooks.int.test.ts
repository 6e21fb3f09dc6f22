import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookJobs } from '../../src/jobs/notification-webhooks.js';
import type { RecordedEvent } from '../../src/platform/event-log/index.js';
import { scheduledOf, workJobs } from '../../src/platform/queues/jobs.js';
import { runSchedules } from '../../src/platform/queues/schedules.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { admin, caller, shop, until } from './notification-world.js';
import { accepted, codesOf, openWebhookWorld, running, type WebhookWorld } from './webhook-world.js';
import { silent } from './with-sandbox.js';

const FIRST = { limit: 100, direction: 'forward', cursor: null } as const;
const DAY_S = 86_400;

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterEach(() => world.switchOff());
afterAll(() => world?.close());

const drain = (webhookId: string) => world.relay.drain(webhookId, running);
const deliveriesOf = async (webhookId: string, failedOnly = false) =>
  (await world.notifications.webhooks.deliveries(webhookId, { failedOnly, page: FIRST })).edges.map(
    ({ node }) => node,
  );
const find = (webhookId: string) => world.notifications.webhooks.find(admin, webhookId);

describe('a webhook', () => {
  it('gets each event that it wants of its own notifications, signed, in order, and nothing else', async () => {
    const all = await world.aWebhook({ eventTypes: ['CREATED', 'VALIDATED', 'RENDERED', 'QUEUED'] });
    const some = await world.aWebhook({ eventTypes: ['QUEUED'], notificationTypes: ['ORDER_SHIPPED'] });
    const none = await world.aWebhook({ notificationTypes: ['NEW_MESSAGE'] });
    const others = await world.aWebhook({ caller: caller('other', 'producer') });
    const requestIds = await Promise.all([1, 3].map((users) => world.notify({ users })));
    const theirs = await world.notify({ caller: caller('other', 'producer') });
    for (const { webhookId } of [all, some, none, others]) await drain(webhookId);

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
    const [delivery] = (await deliveriesOf(some.webhookId)).filter((one) => one.deliveryId === id);
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
      await drain(webhookId);
      return world.numbersOf(receiver, other).length === 2;
    });
    expect(new Set(world.numbersOf(receiver, stuck)).size).toBe(1);
    const failed = await deliveriesOf(webhookId, true);
    expect(failed).toMatchObject([
      { eventType: 'CREATED', status: 'FAILED', lastStatusCode: 503, lastAnswer: 'later' },
    ]);
    expect(failed[0]!.lastError).toMatch(/503/);
    expect(failed[0]!.nextAttemptAt).toBeInstanceOf(Date);
    receiver.answer = (response) => response.writeHead(200).end('ok');
    await until(async () => {
      await drain(webhookId);
      return (await world.waiting(webhookId)) === 0;
    });
    const seen = world.numbersOf(receiver, stuck);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    expect(new Set(seen).size).toBe(2);
    expect(await deliveriesOf(webhookId, true)).toEqual([]);
  });

  it('is disabled after three days of failures, with an alert, and goes on where it was once it is switched on', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    const { webhooks, alerts } = world.notifications;
    // Signatures of another day are refused.
    receiver.secret = undefined;
    const requestId = await world.notify();
    receiver.answer = (response) => response.writeHead(500).end();
    await drain(webhookId);
    world.clock.forward(3 * DAY_S - 60);
    await drain(webhookId);
    expect(await find(webhookId)).toMatchObject({ isActive: true });
    world.clock.forward(120);
    await drain(webhookId);
    expect(await find(webhookId)).toMatchObject({
      isActive: false,
      disabledReason: expect.stringMatching(/3 days.*500/),
    });
    const alertOf = async () => (await alerts.list(true)).find(({ scope }) => scope === webhookId);
    expect(await alertOf()).toMatchObject({ name: 'webhook_disabled', severity: 'WARNING' });

    receiver.got.length = 0;
    receiver.answer = (response) => response.writeHead(204).end();
    const meanwhile = await world.notify();
    await drain(webhookId);
    expect(receiver.got).toEqual([]);
    accepted(await webhooks.update(shop, { webhookId, isActive: true }));
    expect(await alertOf()).toBeUndefined();
    await drain(webhookId);
    expect(world.numbersOf(receiver, requestId)).toHaveLength(2);
    expect(world.numbersOf(receiver, meanwhile)).toEqual([]);
    expect(await find(webhookId)).toMatchObject({ isActive: true, disabledReason: null });
    world.clock.forward(-3 * DAY_S - 60);
  });

  it('is disabled at once by 410', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    await world.notify();
    receiver.answer = (response) => response.writeHead(410).end();
    await drain(webhookId);
    expect(await find(webhookId)).toMatchObject({
      isActive: false,
      disabledReason: expect.stringMatching(/410/),
    });
    expect(receiver.got).toHaveLength(1);
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
      await drain(webhookId);
      expect(world.numbersOf(receiver, requestId)).toHaveLength(2);
    }
    await world.postgres.query(`UPDATE webhooks SET former_until = now() WHERE webhook_id = $1`, [webhookId]);
    receiver.secret = secret;
    const refused = await world.notify();
    await drain(webhookId);
    expect(world.numbersOf(receiver, refused)).toEqual([]);
    expect(await deliveriesOf(webhookId, true)).toMatchObject([{ lastStatusCode: 401 }]);
  });

  it('gets again what it is asked to, one or all since a time, also what it had taken', async () => {
    const { webhookId, receiver } = await world.aWebhook();
    const { webhooks } = world.notifications;
    const since = new Date(Date.now() - 1_000);
    const requestIds = [await world.notify(), await world.notify()];
    await drain(webhookId);
    const [{ id }] = receiver.got as [(typeof receiver.got)[0]];
    receiver.got.length = 0;
    const one = await webhooks.replay(shop, { webhookId, deliveryId: id });
    expect(one).toMatchObject({ ok: true, value: { queued: 1, nextSince: null } });
    await drain(webhookId);
    expect(receiver.got.map((got) => got.id)).toEqual([id]);

    receiver.got.length = 0;
    world.clock.forward(60);
    expect(accepted(await webhooks.replay(shop, { webhookId, since }))).toMatchObject({
      queued: 4,
      nextSince: null,
    });
    await drain(webhookId);
    for (const requestId of requestIds) {
      const numbers = world.numbersOf(receiver, requestId);
      expect(numbers).toHaveLength(2);
      expect(numbers[0]).toBeLessThan(numbers[1]!);
    }
    expect((await deliveriesOf(webhookId)).map(({ attempts }) => attempts).sort()).toEqual([2, 2, 2, 3]);

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
      await drain(webhookId);
      expect(receiver.got).toEqual([]);
    }
    expect(codesOf(await webhooks.remove(shop, gone.webhookId))).toEqual(['NOT_FOUND']);
    for (const forget of world.relay.forgets) await forget(1_000);
    expect(await world.waiting(gone.webhookId)).toBe(0);
    expect(await world.waiting(off.webhookId)).toBe(1);
  });

  it('is its owner’s and admins’ alone, and its owner has twenty at most', async () => {
    const { webhooks } = world.notifications;
    const owner = caller('many', 'producer');
    const input = { url: 'https://example.com/', eventTypes: ['SENT'], notificationTypes: [] };
    const made: Awaited<ReturnType<typeof webhooks.create>>[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      await world.switchOff();
      made.push(...(await Promise.all(Array.from({ length: 5 }, () => webhooks.create(owner, input)))));
    }
    const refusals = made.filter((one) => !one.ok);
    expect(refusals.map(codesOf)).toEqual(Array(5).fill(['TOO_MANY_WEBHOOKS']));
    const { webhookId } = made.flatMap((one) => (one.ok ? [one.value.webhook] : []))[0]!;
    expect((await webhooks.page(owner, { ...FIRST, limit: 15 })).pageInfo.hasNextPage).toBe(true);
    expect((await webhooks.page(owner, FIRST)).edges).toHaveLength(20);
    expect(await webhooks.find(admin, webhookId)).toMatchObject({ ownerId: 'many' });
    expect(await webhooks.find(shop, webhookId)).toBeNull();
    expect(codesOf(await webhooks.update(shop, { webhookId, isActive: false }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.remove(shop, webhookId))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.rotateSecret(shop, webhookId))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.replay(shop, { webhookId, since: new Date() }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.update(owner, { webhookId: 'nonsense' }))).toEqual(['NOT_FOUND']);
    const changed = await webhooks.update(owner, { webhookId, eventTypes: ['SENT', 'SENT', 'Nonsense'] });
    expect(codesOf(changed)).toEqual(['EVENT_TYPE_UNKNOWN']);
    expect(await webhooks.find(owner, webhookId)).toMatchObject({ eventTypes: ['SENT'] });
  });

  it('that is active and follows lifecycle events is one of five of its owner’s', async () => {
    const { webhooks } = world.notifications;
    const owner = caller('following', 'producer', 'admin');
    const input = { url: 'https://example.com/', eventTypes: ['SENT'], notificationTypes: [] };
    const following = await Promise.all(Array.from({ length: 6 }, () => webhooks.create(owner, input)));
    expect(following.flatMap(codesOf)).toEqual(['TOO_MANY_WEBHOOKS']);
    const [first, second] = following.flatMap((one) => (one.ok ? [one.value.webhook.webhookId] : []));
    const ofLog = accepted(await webhooks.create(owner, { ...input, eventTypes: ['OrderPlaced'] }));
    const update = async (webhookId: string, change: { isActive?: boolean; eventTypes?: string[] }) =>
      codesOf(await webhooks.update(owner, { webhookId, ...change }));
    expect(await update(ofLog.webhook.webhookId, { eventTypes: ['SENT'] })).toEqual(['TOO_MANY_WEBHOOKS']);
    expect(await update(first!, { eventTypes: ['FAILED'], isActive: true })).toEqual([]);
    expect(await update(first!, { isActive: false })).toEqual([]);
    accepted(await webhooks.create(owner, input));
    expect(await update(first!, { isActive: true })).toEqual(['TOO_MANY_WEBHOOKS']);
    expect(await update(first!, { eventTypes: ['SENT'] })).toEqual([]);
    accepted(await webhooks.remove(owner, second!));
    const both = [
      update(first!, { isActive: true }),
      update(ofLog.webhook.webhookId, { eventTypes: ['SENT'] }),
    ];
    expect((await Promise.all(both)).flat()).toEqual(['TOO_MANY_WEBHOOKS']);
  });

  it('that follows the log, or has followed it, is not there for its owner without the role of an admin', async () => {
    const { webhooks } = world.notifications;
    const [ada, demoted] = [caller('ada', 'producer', 'admin'), caller('ada', 'producer')];
    const [plain, ofLog, formerly] = [
      await world.aWebhook({ caller: ada }),
      await world.aWebhook({ caller: ada, eventTypes: ['SENT', 'OrderPlaced'] }),
      await world.aWebhook({ caller: ada, eventTypes: ['OrderPlaced'] }),
    ];
    accepted(await webhooks.update(ada, { webhookId: formerly.webhookId, eventTypes: ['SENT'] }));
    for (const { webhookId, receiver } of [ofLog, formerly]) {
      const url = 'https://elsewhere.example/';
      expect(codesOf(await webhooks.update(demoted, { webhookId, url }))).toEqual(['NOT_FOUND']);
      expect(codesOf(await webhooks.update(demoted, { webhookId, eventTypes: ['SENT'] }))).toEqual([
        'NOT_FOUND',
      ]);
      expect(codesOf(await webhooks.rotateSecret(demoted, webhookId))).toEqual(['NOT_FOUND']);
      expect(codesOf(await webhooks.replay(demoted, { webhookId, since: new Date(0) }))).toEqual([
        'NOT_FOUND',
      ]);
      expect(await webhooks.find(demoted, webhookId)).toBeNull();
      expect(await webhooks.find(ada, webhookId)).toMatchObject({ url: receiver.url });
    }
    const idsOf = async (page: ReturnType<typeof webhooks.page>) =>
      (await page).edges.map(({ node }) => node.webhookId);
    for (const direction of ['forward', 'backward'] as const)
      expect(await idsOf(webhooks.page(demoted, { ...FIRST, direction }))).toEqual([plain.webhookId]);
    expect(await idsOf(webhooks.page(ada, FIRST))).toEqual(
      expect.arrayContaining([plain, ofLog, formerly].map(({ webhookId }) => webhookId)),
    );
    accepted(await webhooks.update(demoted, { webhookId: plain.webhookId, eventTypes: ['FAILED'] }));
    accepted(await webhooks.remove(demoted, ofLog.webhookId));
    expect(await webhooks.find(ada, ofLog.webhookId)).toBeNull();
  });

  it('cannot be made where there is no key to keep its secret by', async () => {
    const { webhooks } = world.another({
      config: {
        ...{ quietHours: {}, retention: { days: 90, inboxDays: 365 } },
        webhooks: { allowPrivate: false, retentionDays: 30 },
      },
    });
    const input = { url: 'https://example.com/', eventTypes: ['SENT'], notificationTypes: [] };
    expect(codesOf(await webhooks.create(shop, input))).toEqual(['WEBHOOK_KEY_MISSING']);
  });

  it('of an admin gets events of the log, each stream’s in order', async () => {
    const followed = ['OrderPlaced', 'OrderShipped'];
    const { webhookId, receiver } = await world.aWebhook({ caller: admin, eventTypes: followed });
    const event = (globalPosition: number, streamId: string, type: string) =>
      ({
        ...{ globalPosition, streamId, streamPosition: globalPosition, type, data: { at: globalPosition } },
        ...{ metadata: { correlationId: 'c', causationId: 'x' }, createdAt: new Date() },
      }) as unknown as RecordedEvent;
    await world.postgres.transaction((tx) =>
      world.notifications.webhooks.queueFromLog(tx, [
        event(1, 'Order-1', 'OrderPlaced'),
        event(2, 'Order-2', 'OrderPlaced'),
        event(3, 'Order-1', 'OrderShipped'),
        event(4, 'Account-1', 'MoneyDeposited'),
      ]),
    );
    await drain(webhookId);
    const positions = (streamId: string) =>
      receiver.got.filter(({ data }) => data.stream_id === streamId).map(({ data }) => data.position);
    expect([positions('Order-1'), positions('Order-2'), positions('Account-1')]).toEqual([[1, 3], [2], []]);
    expect(receiver.got[0]).toMatchObject({ data: { correlation_id: 'c', data: { at: 1 } } });
  });
});

it('a receiver that never answers delays nobody else, and gets no more than twenty requests at once', async () => {
  const [slow, fast] = [await world.aWebhook(), await world.aWebhook()];
  slow.receiver.answer = () => undefined;
  const work = webhookJobs({ relay: world.relay });
  const jobs = workJobs({ url: world.redisUrl }, work, silent);
  const schedules = runSchedules(scheduledOf(work), { ...world, logger: silent, metrics: new Registry() });
  const began = performance.now();
  await Promise.all(Array.from({ length: 100 }, () => world.notify()));
  await until(() => fast.receiver.got.length === 200);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(slow.receiver.got.length).toBeGreaterThan(0);
  expect(slow.receiver.got.length).toBeLessThanOrEqual(20);
  await Promise.all([jobs.close(), schedules.close()]);
});
