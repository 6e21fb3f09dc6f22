import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliverySteps } from '../../src/domains/notifications/lifecycle/steps.js';
import { createLifecycleStream, readStream } from '../../src/domains/notifications/lifecycle/stream.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { connectTo, startTestRedis } from '../support/redis.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
  until,
} from './notification-world.js';
import { HeldClock, type SandboxTrial, silent, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
const clock = new HeldClock();

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(clock), tryWithSandbox()]);
  world.runSchedules();
});
afterAll(async () => {
  await world.close();
  await trial.close();
});

/** All that the stream has so far. */
async function told(): Promise<readonly DeliverySteps[]> {
  const all: DeliverySteps[] = [];
  let position = '0-0';
  for (;;) {
    const page = await readStream({ redis: world.redis, logger: silent }, position, 3);
    all.push(...page.steps);
    if (page.isLast) return all;
    position = page.position;
  }
}

type Row = Omit<DeliverySteps, 'events' | 'suspected'> & { readonly event: string };
const toRows = (all: readonly DeliverySteps[]): Row[] =>
  all.flatMap(({ events, suspected, ...step }) => [
    ...events.map((event) => ({ ...step, event })),
    ...suspected.map((event) => ({ ...step, event: `suspected ${event}` })),
  ]);
const inOrder = (rows: readonly Row[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

/** What the table has recorded, in the same words. */
async function recorded(): Promise<Row[]> {
  const { rows } = await world.postgres.query<Row & { at: Date; since: Date }>(
    `SELECT e.delivery_id AS "deliveryId", e.request_id AS "requestId", d.channel, d.priority,
       d.notification_type AS "notificationType", r.template_id AS "templateId", e.at,
       CASE WHEN e.detail ? 'suspected_bot' THEN 'suspected ' ELSE '' END || e.event AS event,
       CASE WHEN r.schedule_at > d.created_at THEN r.schedule_at ELSE d.created_at END AS since
     FROM ${LIFECYCLE_EVENTS} AS e JOIN deliveries d USING (delivery_id) JOIN notification_requests r ON r.request_id = e.request_id`,
  );
  return rows.map(({ since, at, ...row }) => ({
    ...row,
    at: at.getTime(),
    latencyMs: Math.max(0, at.getTime() - since.getTime()),
  }));
}

const only = async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!;
const inStatus = (notificationId: string, status: string) =>
  until(async () => {
    const delivery = await only(notificationId);
    return delivery.status === status && delivery;
  });

describe('the lifecycle stream', () => {
  it('has every event that is recorded, from every place that records any, and no other', async () => {
    const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', { title: 'On its way' });
    await aTemplate(world, 'email', 'ORDER_SHIPPED', { subject: 'Shipped' });
    const { userId } = await aUser(world);
    const send = async (own: Partial<Parameters<typeof aRequest>[0]> = {}) => {
      const recipients = [{ userId, channels: ['push' as const], variables: { name: 'Ann' } }];
      const request = aRequest({ templateId, recipients, ...own });
      expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
      return request;
    };
    // Left out at once, beside one that is not.
    await send({
      recipients: [
        { userId: unique('nobody'), channels: ['push'] },
        { userId, channels: ['push'] },
      ],
    });
    // Cancelled.
    const unwanted = await send();
    expect(await world.notifications.cancel(shop, unwanted.notificationId)).toEqual({ ok: true, value: 1 });
    // Scheduled.
    const later = await send({ scheduleAt: new Date(clock.now() + 3_600_000) });

    const worker = world.work({ providers: trial.providers(undefined, undefined, clock), random: () => 0 });
    // Sent and delivered.
    const plain = await send();
    await inStatus(plain.notificationId, 'DELIVERED');
    // Given up, sent on another channel, bounced there.
    await trial.misbehave({ channel: 'push', status: 400, reason: 'BadTopic' });
    const failing = await send({ fallbackChannels: ['email'] });
    await inStatus(failing.notificationId, 'DEAD');
    const mail = await until(async () =>
      (await deliveriesOf(world, failing.notificationId)).find(
        ({ channel, status }) => channel === 'email' && status === 'SENT',
      ),
    );
    await world.notifications.reportAll([{ deliveryId: mail.deliveryId, kind: 'delivered' }], 'provider');
    await world.notifications.reportAll(
      [{ deliveryId: mail.deliveryId, kind: 'opened', suspectedBot: true }],
      'provider',
    );
    await world.notifications.reportAll([{ deliveryId: mail.deliveryId, kind: 'clicked' }], 'provider');
    const openDeadLetters = async () => {
      const first = { limit: 1, direction: 'forward', cursor: null } as const;
      return (await (await world.notifications.deadLetters.page(first, null)).total()).count;
    };
    // Retried by an admin, given up again, sent anew by its producer.
    const dead = await only(failing.notificationId);
    expect(
      await world.notifications.deadLetters.retry(admin, { deliveryIds: [dead.deliveryId] }),
    ).toMatchObject({ ok: true, value: { affected: 1 } });
    await until(
      async () => (await openDeadLetters()) === 1 && (await only(failing.notificationId)).status === 'DEAD',
    );
    await trial.behave();
    expect(await world.notifications.send(shop, failing)).toMatchObject({ ok: true });
    await inStatus(failing.notificationId, 'DELIVERED');
    // Refused for a while.
    await trial.misbehave({ channel: 'push', status: 500, reason: 'InternalServerError', times: 1 });
    const slow = await send();
    await until(async () => {
      clock.forward(1);
      return (await only(slow.notificationId)).status === 'DELIVERED';
    });
    clock.forward(3_600);
    await inStatus(later.notificationId, 'DELIVERED');
    await worker.close();

    const expected = await recorded();
    for (const event of [
      ...['SCHEDULED', 'CANCELLED', 'SUPPRESSED', 'FAILED', 'RETRY', 'DLQ', 'DELIVERED', 'CLICKED'],
      'suspected OPENED',
    ])
      expect(expected.map((row) => row.event)).toContain(event);
    const rows = await until(async () => {
      const rows = toRows(await told());
      return rows.length >= expected.length && rows;
    });
    expect(inOrder(rows)).toEqual(inOrder(expected));
  });
});

const aStep = (deliveryId: string): DeliverySteps => ({
  ...{
    deliveryId,
    requestId: 'r',
    channel: 'push',
    priority: 'high',
    notificationType: 'T',
    templateId: 't',
  },
  ...{ at: 1, latencyMs: 0, events: ['SENT', 'DELIVERED'], suspected: [] },
});

describe('publishing', () => {
  it('packs what comes together into few entries, in order', async () => {
    const server = await startTestRedis();
    const redis = await connectTo(server);
    const stream = createLifecycleStream({
      redis,
      logger: silent,
      metrics: { stepsDropped: () => undefined },
    });
    const ids = Array.from({ length: 1_200 }, (_, n) => `d${n}`);
    for (const id of ids) stream.publish([aStep(id)]);
    const page = await until(async () => {
      const page = await readStream({ redis, logger: silent }, '0-0', 1_000);
      return page.steps.length === ids.length && page;
    });
    expect(page.steps.map(({ deliveryId }) => deliveryId)).toEqual(ids);
    expect(await redis.xlen('tidings:notifications:lifecycle')).toBe(3);
    redis.disconnect();
    await server.stop();
  });

  it('makes nobody wait for a Redis that does not answer, keeps a bounded part, and counts what it drops', async () => {
    const sent: string[][] = [];
    let fail: (error: Error) => void = () => undefined;
    const answer = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const redis = {
      xadd: (...args: string[]) => {
        sent.push(args);
        return answer;
      },
    };
    let dropped = 0;
    const stream = createLifecycleStream({
      redis: redis as never,
      logger: silent,
      metrics: { stepsDropped: (steps) => (dropped += steps) },
    });
    const many = Array.from({ length: 5_000 }, (_, n) => aStep(`d${n}`));
    for (let n = 0; n < 4; n++) stream.publish(many);
    expect(dropped).toBe(0);
    await until(() => sent.length === 40);
    stream.publish(many.slice(0, 10));
    expect(dropped).toBe(20);
    fail(new Error('Redis is away'));
    await until(() => dropped === 20 + 40_000);
    stream.publish(many.slice(0, 1));
    await until(() => sent.length === 41);
  });

  it('is read past an entry that nobody can read', async () => {
    const server = await startTestRedis();
    const redis = await connectTo(server);
    const stream = createLifecycleStream({
      redis,
      logger: silent,
      metrics: { stepsDropped: () => undefined },
    });
    for (const text of ['no JSON', '[["one"]]', '{}'])
      await redis.xadd('tidings:notifications:lifecycle', '*', 's', text);
    await redis.xadd('tidings:notifications:lifecycle', '*', 'other', 'field');
    stream.publish([aStep('d')]);
    const page = await until(async () => {
      const page = await readStream({ redis, logger: silent }, '0-0', 10);
      return page.steps.length > 0 && page;
    });
    expect(page).toMatchObject({ steps: [aStep('d')], isLast: true });
    redis.disconnect();
    await server.stop();
  });
});
