import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aRequest,
  aTemplate,
  aUser,
  caller,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  until,
} from './notification-world.js';
import { HeldClock, type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let clock: HeldClock;
let templateId: string;
let worker: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  clock = new HeldClock();
  const config = { quietHours: { NEW_MESSAGE: 'defer', COMMENT_REPLY: 'bypass' } } as const;
  [world, trial] = await Promise.all([openNotificationWorld(clock, config), tryWithSandbox()]);
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', { title: 'On its way' });
  world.runSchedules();
});
beforeEach(() => {
  worker = world.work({ providers: trial.providers(), random: () => 0 });
});
afterEach(() => worker?.close());
afterAll(async () => {
  await world.close();
  await trial.close();
});

const HOUR = 3_600_000;
const only = async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!;
const inStatus = (notificationId: string, status: string) =>
  until(async () => {
    const delivery = await only(notificationId);
    return delivery.status === status && delivery;
  });

/** A push to one user, an hour ahead unless the test says otherwise. */
async function schedule(userId: string, own: Partial<Parameters<typeof aRequest>[0]> = {}) {
  const recipients = [{ userId, channels: ['push' as const], variables: { name: 'Ann' } }];
  const request = aRequest({ templateId, recipients, scheduleAt: new Date(clock.now() + HOUR), ...own });
  expect(await world.notifications.send(shop, request)).toMatchObject({
    ok: true,
    value: { notificationsQueued: 1 },
  });
  return request.notificationId;
}

describe('a scheduled notification', () => {
  it('waits in Postgres for its time, and is decided and sent then', async () => {
    const { userId, token } = await aUser(world);
    const notificationId = await schedule(userId);
    const waiting = await only(notificationId);
    expect(waiting).toMatchObject({ status: 'SCHEDULED', content: null });
    expect(await timelineOf(world, waiting.deliveryId)).toEqual(['CREATED', 'VALIDATED', 'SCHEDULED']);
    expect(await world.notifications.request(shop, notificationId, null)).toMatchObject({
      status: 'SCHEDULED',
    });
    await world.redis.flushall();
    expect((await only(notificationId)).status).toBe('SCHEDULED');

    await aTemplate(world, 'push', 'ORDER_SHIPPED', { body: 'Newer words for {{name}}' });
    clock.forward(3_601);
    const sent = await inStatus(notificationId, 'DELIVERED');
    expect(sent.content?.body).toBe('Newer words for Ann');
    expect(await timelineOf(world, sent.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'SCHEDULED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'QUEUED',
      'SENT',
      'DELIVERED',
    ]);
    expect(await trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
  });

  it('respects what its user decided in the meantime', async () => {
    const { userId, token } = await aUser(world);
    const notificationId = await schedule(userId);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'push' as const, enabled: false };
    await world.notifications.setPreferences(userId, [off]);
    clock.forward(3_601);
    expect(await inStatus(notificationId, 'SUPPRESSED')).toMatchObject({ suppression: 'CHANNEL_DISABLED' });
    expect(await trial.received(`?channel=push&to=${token}`)).toEqual([]);
  });

  it('expires where nobody was there in its time', async () => {
    await worker?.close();
    const { userId, token } = await aUser(world);
    const notificationId = await schedule(userId, { expiresAt: new Date(clock.now() + 2 * HOUR) });
    clock.forward(7_201);
    worker = world.work({ providers: trial.providers() });
    await inStatus(notificationId, 'EXPIRED');
    expect(await trial.received(`?channel=push&to=${token}`)).toEqual([]);
  });

  it('is sent once, however many workers release at once', async () => {
    const others = [1, 2].map(() => world.work({ providers: trial.providers(), random: () => 0 }));
    const users = await Promise.all(Array.from({ length: 60 }, () => aUser(world)));
    const ids = await Promise.all(users.map(({ userId }) => schedule(userId)));
    clock.forward(3_601);
    for (const id of ids) await inStatus(id, 'DELIVERED');
    for (const { token } of users) expect(await trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it('goes before all that is less urgent, however long that is overdue', async () => {
    await worker?.close();
    const { userId } = await aUser(world);
    const late = await Promise.all(
      Array.from({ length: 3 }, async () => schedule((await aUser(world)).userId, { priority: 'low' })),
    );
    clock.forward(1);
    const urgent = await schedule(userId, { priority: 'high' });
    clock.forward(3_700);
    const deliveryWorker = world.notifications.openDelivery({ providers: trial.providers() });
    expect(await deliveryWorker.release()).toMatchObject({ taken: 1 });
    expect((await only(urgent)).status).toBe('QUEUED');
    expect(await deliveryWorker.release()).toMatchObject({ taken: late.length });
    expect(await deliveryWorker.release()).toEqual({ taken: 0, isLast: true });
  });

  it.each([
    ['SCHEDULE_IN_PAST', -2 * HOUR, undefined],
    ['SCHEDULE_TOO_FAR', 400 * 24 * HOUR, undefined],
    ['SCHEDULE_AFTER_EXPIRY', 2 * HOUR, HOUR],
  ])('is refused with %s', async (code, scheduleIn, expiresIn) => {
    const { userId } = await aUser(world);
    const request = aRequest({
      templateId,
      recipients: [{ userId }],
      scheduleAt: new Date(clock.now() + scheduleIn),
      ...(expiresIn && { expiresAt: new Date(clock.now() + expiresIn) }),
    });
    expect(await world.notifications.send(shop, request)).toEqual({
      ok: false,
      errors: [expect.objectContaining({ code, path: ['input', 'scheduleAt'] })],
    });
    expect(await deliveriesOf(world, request.notificationId)).toEqual([]);
  });
});

describe('a schedule in local time', () => {
  it('goes to each recipient when their own clock shows it, and at once where it has', async () => {
    const zones = ['Europe/Berlin', 'UTC', 'America/New_York', 'Asia/Kathmandu'];
    const people = await Promise.all(
      zones.map(async (timezone) => {
        const user = await aUser(world);
        await world.notifications.updateSettings(user.userId, { timezone });
        return user;
      }),
    );
    const recipients = people.map(({ userId }) => ({ userId, channels: ['push' as const] }));
    const scheduleAt = new Date(Math.ceil(clock.now() / (24 * HOUR)) * 24 * HOUR + 33 * HOUR);
    const day = scheduleAt.toISOString().slice(0, 10);
    const request = aRequest({ templateId, recipients, scheduleAt, scheduleInLocalTime: true });
    const sent = await world.notifications.send(shop, request);
    expect(sent).toMatchObject({ value: { notificationsQueued: 4 } });
    const deliveries = await deliveriesOf(world, request.notificationId);
    const timelines = await world.notifications.timelines(deliveries.map(({ deliveryId }) => deliveryId));
    const shown = deliveries.map(({ deliveryId }) => {
      const { due_at, timezone } = timelines.get(deliveryId)!.at(-1)!.detail!;
      const options = { timeZone: String(timezone), dateStyle: 'short', timeStyle: 'short' } as const;
      return [timezone, new Date(String(due_at)).toLocaleString('sv', options)];
    });
    expect(shown).toEqual(zones.map((zone) => [zone, `${day} 09:00`]));
    expect(await world.notifications.request(shop, request.notificationId, null)).toMatchObject({
      ...{ scheduleAt, scheduleInLocalTime: true },
    });

    clock.forward((scheduleAt.getTime() - clock.now()) / 1000);
    const late = aRequest({ templateId, recipients, scheduleAt, scheduleInLocalTime: true });
    await world.notifications.send(shop, late);
    for (const notificationId of [request.notificationId, late.notificationId])
      await until(async () => {
        const statuses = (await deliveriesOf(world, notificationId)).map(({ status }) => status);
        return statuses.join() === 'DELIVERED,DELIVERED,SCHEDULED,DELIVERED';
      });
  });

  it.each([
    ['SCHEDULE_IN_PAST', 'scheduleAt', { scheduleIn: -13 * HOUR }],
    ['SCHEDULE_AFTER_EXPIRY', 'scheduleAt', { scheduleIn: HOUR, expiresIn: 12 * HOUR }],
    ['SCHEDULE_MISSING', 'scheduleInLocalTime', {}],
  ])('is refused with %s', async (code, field, { scheduleIn, expiresIn }: Times) => {
    const { userId } = await aUser(world);
    const request = aRequest({
      templateId,
      recipients: [{ userId }],
      scheduleInLocalTime: true,
      ...(scheduleIn !== undefined && { scheduleAt: new Date(clock.now() + scheduleIn) }),
      ...(expiresIn !== undefined && { expiresAt: new Date(clock.now() + expiresIn) }),
    });
    expect(await world.notifications.send(shop, request)).toMatchObject({
      errors: [{ code, path: ['input', field] }],
    });
  });
});

interface Times {
  readonly scheduleIn?: number;
  readonly expiresIn?: number;
}

describe('a due delivery that cannot be decided', () => {
  it('is put off, and holds up none of those that are due with it', async () => {
    const people = await Promise.all([aUser(world), aUser(world), aUser(world)]);
    const [first, broken, last] = [
      await schedule(people[0].userId),
      await schedule(people[1].userId),
      await schedule(people[2].userId),
    ];
    // Stands for whatever a bug may make of one delivery: its outcome cannot be written.
    const { deliveryId } = await only(broken);
    await world.postgres.query(
      `ALTER TABLE deliveries ADD CONSTRAINT broken CHECK (delivery_id <> '${deliveryId}' OR status = 'SCHEDULED')`,
    );
    clock.forward(3_601);
    await Promise.all([inStatus(first, 'DELIVERED'), inStatus(last, 'DELIVERED')]);
    await until(async () => {
      const { rows } = await world.postgres.query<{ dueAt: Date }>(
        'SELECT due_at AS "dueAt" FROM deliveries WHERE delivery_id = $1',
        [deliveryId],
      );
      return rows[0]!.dueAt.getTime() > clock.now();
    });

    await world.postgres.query('ALTER TABLE deliveries DROP CONSTRAINT broken');
    clock.forward(301);
    await inStatus(broken, 'DELIVERED');
  });
});

describe('quiet hours', () => {
  /** Somebody whose quiet hours began an hour ago and end in two. */
  async function aSleeper() {
    const { userId, token } = await aUser(world);
    const at = (hours: number) => new Date(clock.now() + hours * HOUR).toISOString().slice(11, 16);
    await world.notifications.updateSettings(userId, { quietHoursStart: at(-1), quietHoursEnd: at(2) });
    return { userId, token };
  }

  it('defer a type that is to wait for their end', async () => {
    const { userId, token } = await aSleeper();
    const ofType = await aTemplate(world, 'push', 'NEW_MESSAGE');
    const recipients = [{ userId, channels: ['push' as const] }];
    const request = aRequest({ type: 'NEW_MESSAGE', templateId: ofType, recipients });
    const accepted = await world.notifications.send(shop, request);
    expect(accepted).toMatchObject({ value: { notificationsQueued: 1 } });
    const { estimatedDelivery } = (accepted as { value: { estimatedDelivery: string } }).value;
    const untilThenMs = new Date(estimatedDelivery).getTime() - clock.now();
    expect(untilThenMs).toBeGreaterThan(HOUR);
    expect(untilThenMs).toBeLessThanOrEqual(2 * HOUR + 90_000);
    const held = await only(request.notificationId);
    expect(held.status).toBe('SCHEDULED');
    clock.forward(7_260);
    await inStatus(request.notificationId, 'DELIVERED');
    expect(await trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
  });

  it('let a type pass that is to pass, and drop the others', async () => {
    const { userId } = await aSleeper();
    const ofType = await aTemplate(world, 'push', 'COMMENT_REPLY');
    const recipients = [{ userId, channels: ['push' as const] }];
    const reply = aRequest({ type: 'COMMENT_REPLY', templateId: ofType, recipients });
    expect(await world.notifications.send(shop, reply)).toMatchObject({ value: { notificationsQueued: 1 } });
    expect(await world.notifications.send(shop, aRequest({ templateId, recipients }))).toMatchObject({
      errors: [{ code: 'NOTHING_TO_SEND' }],
    });
  });
});

describe('cancelling', () => {
  it('cancels what was not sent, once', async () => {
    const { userId, token } = await aUser(world);
    const notificationId = await schedule(userId);
    expect(await world.notifications.cancel(shop, notificationId)).toEqual({ ok: true, value: 1 });
    expect(await world.notifications.cancel(shop, notificationId)).toEqual({ ok: true, value: 0 });
    clock.forward(3_601);
    // What is due later is sent: so what was cancelled had its time.
    const later = await schedule(userId, { scheduleAt: new Date(clock.now() + 1_000) });
    clock.forward(2);
    await inStatus(later, 'DELIVERED');
    const cancelled = await only(notificationId);
    expect(cancelled.status).toBe('CANCELLED');
    expect(await timelineOf(world, cancelled.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'SCHEDULED',
      'CANCELLED',
    ]);
    expect(await trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
    expect(await world.notifications.request(shop, notificationId, null)).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('lets a call that is on its way end, and makes no other', async () => {
    const { userId, token } = await aUser(world);
    await trial.misbehave({ channel: 'push', status: 503, latencyMs: 500, times: 1 });
    const recipients = [{ userId, channels: ['push' as const] }];
    const request = aRequest({ templateId, recipients, fallbackChannels: ['sms'] });
    await world.notifications.send(shop, request);
    const { deliveryId } = await only(request.notificationId);
    await until(async () => {
      const leased = 'SELECT FROM pending_deliveries WHERE delivery_id = $1 AND lease_until IS NOT NULL';
      return (await world.postgres.query(leased, [deliveryId])).rowCount === 1;
    });
    expect(await world.notifications.cancel(shop, request.notificationId)).toEqual({ ok: true, value: 0 });
    const cancelled = await inStatus(request.notificationId, 'CANCELLED');
    expect(await timelineOf(world, cancelled.deliveryId)).toContain('RETRY');
    expect(await trial.received(`?channel=push&to=${token}`)).toEqual([]);
    expect(await deliveriesOf(world, request.notificationId)).toHaveLength(1);
  });

  it('comes too late for what was sent, and is refused to strangers', async () => {
    const { userId } = await aUser(world);
    const notificationId = await schedule(userId, { scheduleAt: new Date(clock.now() + 1_000) });
    const stranger = caller('bakery', 'producer');
    expect(await world.notifications.cancel(stranger, notificationId)).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'notificationId'] }],
    });
    clock.forward(2);
    await inStatus(notificationId, 'DELIVERED');
    expect(await world.notifications.cancel(shop, notificationId)).toEqual({ ok: true, value: 0 });
  });
});
