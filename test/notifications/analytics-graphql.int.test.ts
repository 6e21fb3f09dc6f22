import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notificationQueues, readQueues } from '../../src/domains/notifications/analytics/queues.js';
import { deadLetter, retryDelivery } from '../../src/domains/notifications/index.js';
import { openQueues } from '../../src/platform/queues/queues.js';
import { type AnalyticsWorld, MINUTE, openAnalyticsWorld } from './analytics-world.js';
import { aUser, until } from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { silent } from './with-sandbox.js';

let world: AnalyticsWorld;
let api: ApiOnTest;
let begin = 0;

beforeAll(async () => {
  world = await openAnalyticsWorld();
  begin = world.now;
  api = await openApi(world.notifications, { now: () => Date.now() });
  const [push, email] = await world.send({ priority: 'high' });
  world.now += 1_000;
  await world.report([push!, email!], 'sent', 'delivered');
  await world.report([push!], 'opened');
  await world.scan([email!]);
  world.now += MINUTE;
  const { userId } = await aUser(world);
  const channels = ['push' as const];
  const [, late] = await world.send({
    recipients: [
      { userId: 'nobody', channels },
      { userId, channels },
    ],
  });
  await world.report([late!], 'sent', 'failed');
  await until(async () => {
    await world.consume();
    return JSON.stringify(await world.stored()) === JSON.stringify(await world.truth());
  });
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const admin = (query: string, variables = {}) => api.graphql('root', query, variables, 'admin');
const from = () => new Date(begin).toISOString();
const to = (minutes = 3) => new Date(begin + minutes * MINUTE).toISOString();
const refusal = (argument: string) =>
  expect.objectContaining({
    extensions: expect.objectContaining({ code: 'BAD_USER_INPUT', argument: [argument] }),
  });

describe('notificationAnalytics', () => {
  it('answers an admin all that happened, and step by step', async () => {
    const { data, errors } = await admin(
      `query ($from: DateTime!, $to: DateTime!) { notificationAnalytics(from: $from, to: $to) {
        sent delivered opened clicked dismissed unsubscribed failed expired suppressed suspectedBots
        deliveryRate openRate clickRate latencyMs { p50 p95 p99 }
        series { at sent delivered opened clicked failed p99LatencyMs } } }`,
      { from: from(), to: to() },
    );
    expect(errors).toBeUndefined();
    const { latencyMs, series, ...counts } = data.notificationAnalytics as Record<string, unknown>;
    expect(counts).toEqual({
      ...{ sent: 3, delivered: 2, opened: 1, clicked: 0, dismissed: 0, unsubscribed: 0 },
      ...{ failed: 1, expired: 0, suppressed: 1, suspectedBots: 1 },
      ...{ deliveryRate: 2 / 3, openRate: 0.5, clickRate: 0 },
    });
    for (const ms of Object.values(latencyMs as object)) {
      expect(ms).toBeGreaterThan(950);
      expect(ms).toBeLessThan(1_050);
    }
    const p99LatencyMs = (latencyMs as { p99: number }).p99;
    expect(series).toEqual([
      { at: from(), sent: 2, delivered: 2, opened: 1, clicked: 0, failed: 0, p99LatencyMs },
      { at: to(1), sent: 1, delivered: 0, opened: 0, clicked: 0, failed: 1, p99LatencyMs: null },
      { at: to(2), sent: 0, delivered: 0, opened: 0, clicked: 0, failed: 0, p99LatencyMs: null },
    ]);
  });

  it('narrows by channel, priority, type and template, and has nothing of a batch that there is not', async () => {
    const { data, errors } = await admin(
      `query ($from: DateTime!, $to: DateTime!) {
        email: notificationAnalytics(from: $from, to: $to, channel: EMAIL) { sent suspectedBots }
        low: notificationAnalytics(from: $from, to: $to, priority: LOW) { sent }
        high: notificationAnalytics(from: $from, to: $to, priority: HIGH, channel: null) { sent }
        type: notificationAnalytics(from: $from, to: $to, notificationType: "ORDER_SHIPPED") { sent }
        other: notificationAnalytics(from: $from, to: $to, notificationType: "OTHER") { sent deliveryRate }
        template: notificationAnalytics(from: $from, to: $to, templateId: "none") { sent }
        batch: notificationAnalytics(from: $from, to: $to, batchId: "b") { sent } }`,
      { from: from(), to: to() },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      email: { sent: 1, suspectedBots: 1 },
      low: { sent: 0 },
      high: { sent: 2 },
      type: { sent: 3 },
      other: { sent: 0, deliveryRate: null },
      template: { sent: 0 },
      batch: { sent: 0 },
    });
  });

  it('refuses times and steps that make no sense, and says which', async () => {
    const ask = (from: string, to: string, steps = '') =>
      admin(
        `query ($from: DateTime!, $to: DateTime!) { notificationAnalytics(from: $from, to: $to) { sent ${steps} } }`,
        { from, to },
      );
    expect((await ask(from(), from())).errors).toEqual([refusal('to')]);
    expect((await ask(to(), from())).errors).toEqual([refusal('to')]);
    expect((await ask(from(), to(90 * 1_440 + 1))).errors).toEqual([refusal('to')]);
    expect((await ask(from(), to(), 'series(stepSeconds: 90) { at }')).errors).toEqual([
      refusal('stepSeconds'),
    ]);
    expect((await ask(from(), to(1_501), 'series { at }')).errors).toEqual([refusal('stepSeconds')]);
    expect((await ask(from(), to(90 * 1_440), 'series(stepSeconds: 86400) { at }')).errors).toBeUndefined();
  });

  it("is for admins, but for a campaign of a producer's own", async () => {
    const query = `{ notificationAnalytics(from: "${from()}", to: "${to()}") { sent } }`;
    const ofBatch = `{ notificationAnalytics(from: "${from()}", to: "${to()}", batchId: "b") { sent } }`;
    for (const ask of [
      ...[api.graphql('ann', query), api.graphql('ann', ofBatch)],
      api.graphql('shop', query, {}, 'producer'),
    ])
      expect((await ask).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect((await api.graphql(null, query)).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });
});

describe('queues', () => {
  const query = '{ queues { name waiting active delayed failed oldestWaitingMs } }';

  it('answers an admin how long every queue is', async () => {
    const before = world.now;
    const retry = { deliveryId: '00000000-0000-4000-8000-000000000000' };
    await world.queues.enqueue(retryDelivery.sms, retry, { correlationId: 'test', delayMs: 3_600_000 });
    world.now = Date.now() + 60_000;
    const { data, errors } = await admin(query);
    expect(errors).toBeUndefined();
    const stats = data.queues as unknown as { name: string; oldestWaitingMs: number }[];
    expect(stats.map(({ name }) => name)).toEqual(notificationQueues);
    expect(new Set(notificationQueues).size).toBe(notificationQueues.length);
    const of = (queue: string) => stats.find(({ name }) => name === queue)!;
    // A wake-up job for each user.
    expect(of('notifications.push.high')).toMatchObject({ waiting: 1, active: 0, delayed: 0, failed: 0 });
    expect(of('notifications.push.high').oldestWaitingMs).toBeGreaterThanOrEqual(60_000);
    expect(of('notifications.sms.retry')).toMatchObject({ waiting: 0, delayed: 1, oldestWaitingMs: null });
    expect(of(deadLetter.queue)).toMatchObject({ failed: 0 });
    world.now = before;
  });

  it('are for admins', async () => {
    expect((await api.graphql('ann', query)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  it('cannot be looked at while Redis is away, and say so', async () => {
    const queues = openQueues({ urls: ['redis://127.0.0.1:1'] }, silent);
    const reading = readQueues({ queues, clock: { now: () => world.now }, logger: silent });
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await queues.close();
  });
});
