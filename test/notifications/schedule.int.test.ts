import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetAll } from '../support/redis.js';
import { aRequest, aTemplate, aUser, deliveriesOf, shop, timelineOf, until } from './notification-world.js';
import { HOUR, openScheduleWorld, type ScheduleWorld } from './schedule-world.js';

let scheduling: ScheduleWorld;
let worker: { close(): Promise<void> } | undefined;
beforeAll(async () => {
  scheduling = await openScheduleWorld();
});
beforeEach(() => {
  worker = scheduling.startWorker();
});
afterEach(() => worker?.close());
afterAll(() => scheduling?.close());

describe('a scheduled notification', () => {
  it('waits in Postgres for its time, and is decided and sent then', async () => {
    const { userId, token } = await aUser(scheduling.world);
    const notificationId = await scheduling.schedule(userId);
    const waiting = await scheduling.only(notificationId);
    expect(waiting).toMatchObject({ status: 'SCHEDULED', content: null });
    expect(await timelineOf(scheduling.world, waiting.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'SCHEDULED',
    ]);
    expect(await scheduling.world.notifications.request(shop, notificationId, null)).toMatchObject({
      status: 'SCHEDULED',
    });
    await forgetAll(scheduling.world.redis);
    expect((await scheduling.only(notificationId)).status).toBe('SCHEDULED');

    await aTemplate(scheduling.world, 'push', 'ORDER_SHIPPED', { body: 'Newer words for {{name}}' });
    scheduling.clock.forward(3_601);
    const sent = await scheduling.inStatus(notificationId, 'DELIVERED');
    expect(sent.content?.body).toBe('Newer words for Ann');
    expect(await timelineOf(scheduling.world, sent.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'SCHEDULED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'QUEUED',
      'SENT',
      'DELIVERED',
    ]);
    expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
  });

  it('respects what its user decided in the meantime', async () => {
    const { userId, token } = await aUser(scheduling.world);
    const notificationId = await scheduling.schedule(userId);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'push' as const, enabled: false };
    await scheduling.world.notifications.setPreferences(userId, [off]);
    scheduling.clock.forward(3_601);
    expect(await scheduling.inStatus(notificationId, 'SUPPRESSED')).toMatchObject({
      suppression: 'CHANNEL_DISABLED',
    });
    expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toEqual([]);
  });

  it('expires where nobody was there in its time', async () => {
    await worker?.close();
    const { userId, token } = await aUser(scheduling.world);
    const notificationId = await scheduling.schedule(userId, {
      expiresAt: new Date(scheduling.clock.now() + 2 * HOUR),
    });
    scheduling.clock.forward(7_201);
    worker = scheduling.world.work({ providers: scheduling.trial.providers() });
    await scheduling.inStatus(notificationId, 'EXPIRED');
    expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toEqual([]);
  });

  it('is sent once, however many workers release at once', async () => {
    const others = [1, 2].map(() =>
      scheduling.world.work({ providers: scheduling.trial.providers(), random: () => 0 }),
    );
    const users = await Promise.all(Array.from({ length: 60 }, () => aUser(scheduling.world)));
    const ids = await Promise.all(users.map(({ userId }) => scheduling.schedule(userId)));
    scheduling.clock.forward(3_601);
    for (const id of ids) await scheduling.inStatus(id, 'DELIVERED');
    for (const { token } of users)
      expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it('goes before all that is less urgent, however long that is overdue', async () => {
    await worker?.close();
    const { userId } = await aUser(scheduling.world);
    const late = await Promise.all(
      Array.from({ length: 3 }, async () =>
        scheduling.schedule((await aUser(scheduling.world)).userId, { priority: 'low' }),
      ),
    );
    scheduling.clock.forward(1);
    const urgent = await scheduling.schedule(userId, { priority: 'high' });
    scheduling.clock.forward(3_700);
    const deliveryWorker = scheduling.world.notifications.openDelivery({
      providers: scheduling.trial.providers(),
    });
    expect(await deliveryWorker.release()).toMatchObject({ taken: 1 });
    expect((await scheduling.only(urgent)).status).toBe('QUEUED');
    expect(await deliveryWorker.release()).toMatchObject({ taken: late.length });
    expect(await deliveryWorker.release()).toEqual({ taken: 0, isLast: true });
  });

  it.each([
    ['SCHEDULE_IN_PAST', -2 * HOUR, undefined],
    ['SCHEDULE_TOO_FAR', 400 * 24 * HOUR, undefined],
    ['SCHEDULE_AFTER_EXPIRY', 2 * HOUR, HOUR],
  ])('is refused with %s', async (code, scheduleIn, expiresIn) => {
    const { userId } = await aUser(scheduling.world);
    const request = aRequest({
      templateId: scheduling.templateId,
      recipients: [{ userId }],
      scheduleAt: new Date(scheduling.clock.now() + scheduleIn),
      ...(expiresIn && { expiresAt: new Date(scheduling.clock.now() + expiresIn) }),
    });
    expect(await scheduling.world.notifications.send(shop, request)).toEqual({
      ok: false,
      errors: [expect.objectContaining({ code, path: ['input', 'scheduleAt'] })],
    });
    expect(await deliveriesOf(scheduling.world, request.notificationId)).toEqual([]);
  });
});

describe('a schedule in local time', () => {
  it('goes to each recipient when their own clock shows it, and at once where it has', async () => {
    const zones = ['Europe/Berlin', 'UTC', 'America/New_York', 'Asia/Kathmandu'];
    const people = await Promise.all(
      zones.map(async (timezone) => {
        const user = await aUser(scheduling.world);
        await scheduling.world.notifications.updateSettings(user.userId, { timezone });
        return user;
      }),
    );
    const recipients = people.map(({ userId }) => ({ userId, channels: ['push' as const] }));
    const scheduleAt = new Date(Math.ceil(scheduling.clock.now() / (24 * HOUR)) * 24 * HOUR + 33 * HOUR);
    const day = scheduleAt.toISOString().slice(0, 10);
    const request = aRequest({
      templateId: scheduling.templateId,
      recipients,
      scheduleAt,
      scheduleInLocalTime: true,
    });
    const sent = await scheduling.world.notifications.send(shop, request);
    expect(sent).toMatchObject({ value: { notificationsQueued: 4 } });
    const deliveries = await deliveriesOf(scheduling.world, request.notificationId);
    const timelines = await scheduling.world.notifications.timelines(
      deliveries.map(({ deliveryId }) => deliveryId),
    );
    const shown = deliveries.map(({ deliveryId }) => {
      const { due_at, timezone } = timelines.get(deliveryId)!.at(-1)!.detail!;
      const options = { timeZone: String(timezone), dateStyle: 'short', timeStyle: 'short' } as const;
      return [timezone, new Date(String(due_at)).toLocaleString('sv', options)];
    });
    expect(shown).toEqual(zones.map((zone) => [zone, `${day} 09:00`]));
    expect(await scheduling.world.notifications.request(shop, request.notificationId, null)).toMatchObject({
      ...{ scheduleAt, scheduleInLocalTime: true },
    });

    scheduling.clock.forward((scheduleAt.getTime() - scheduling.clock.now()) / 1000);
    const late = aRequest({
      templateId: scheduling.templateId,
      recipients,
      scheduleAt,
      scheduleInLocalTime: true,
    });
    await scheduling.world.notifications.send(shop, late);
    for (const notificationId of [request.notificationId, late.notificationId])
      await until(async () => {
        const statuses = (await deliveriesOf(scheduling.world, notificationId)).map(({ status }) => status);
        return statuses.join() === 'DELIVERED,DELIVERED,SCHEDULED,DELIVERED';
      });
  });

  it('is due now, and never in the past, for whom their clock has shown it: workers look for nothing that was due long ago', async () => {
    const { userId } = await aUser(scheduling.world);
    const now = scheduling.clock.now();
    const request = aRequest({
      ...{ templateId: scheduling.templateId, recipients: [{ userId, channels: ['push' as const] }] },
      ...{ scheduleAt: new Date(now - 3 * HOUR), scheduleInLocalTime: true },
    });
    const sent = await scheduling.world.notifications.send(shop, request);
    if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
    expect(Date.parse(sent.value.estimatedDelivery)).toBeGreaterThanOrEqual(now);
    expect((await scheduling.only(request.notificationId)).dueAt?.getTime()).toBe(now);
    await scheduling.inStatus(request.notificationId, 'DELIVERED');
  });

  it.each([
    ['SCHEDULE_IN_PAST', 'scheduleAt', { scheduleIn: -13 * HOUR }],
    ['SCHEDULE_AFTER_EXPIRY', 'scheduleAt', { scheduleIn: HOUR, expiresIn: 12 * HOUR }],
    ['SCHEDULE_MISSING', 'scheduleInLocalTime', {}],
  ])('is refused with %s', async (code, field, { scheduleIn, expiresIn }: Times) => {
    const { userId } = await aUser(scheduling.world);
    const request = aRequest({
      templateId: scheduling.templateId,
      recipients: [{ userId }],
      scheduleInLocalTime: true,
      ...(scheduleIn !== undefined && { scheduleAt: new Date(scheduling.clock.now() + scheduleIn) }),
      ...(expiresIn !== undefined && { expiresAt: new Date(scheduling.clock.now() + expiresIn) }),
    });
    expect(await scheduling.world.notifications.send(shop, request)).toMatchObject({
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
    const people = await Promise.all([
      aUser(scheduling.world),
      aUser(scheduling.world),
      aUser(scheduling.world),
    ]);
    const [first, broken, last] = [
      await scheduling.schedule(people[0].userId),
      await scheduling.schedule(people[1].userId),
      await scheduling.schedule(people[2].userId),
    ];
    // Stands for whatever a bug may make of one delivery: its outcome cannot be written.
    const { deliveryId } = await scheduling.only(broken);
    await scheduling.world.postgres.query(
      `ALTER TABLE deliveries ADD CONSTRAINT broken CHECK (delivery_id <> '${deliveryId}' OR status = 'SCHEDULED')`,
    );
    scheduling.clock.forward(3_601);
    await Promise.all([scheduling.inStatus(first, 'DELIVERED'), scheduling.inStatus(last, 'DELIVERED')]);
    await until(async () => {
      const { rows } = await scheduling.world.postgres.query<{ dueAt: Date }>(
        'SELECT due_at AS "dueAt" FROM deliveries WHERE delivery_id = $1',
        [deliveryId],
      );
      return rows[0]!.dueAt.getTime() > scheduling.clock.now();
    });

    await scheduling.world.postgres.query('ALTER TABLE deliveries DROP CONSTRAINT broken');
    scheduling.clock.forward(301);
    await scheduling.inStatus(broken, 'DELIVERED');
  });
});
