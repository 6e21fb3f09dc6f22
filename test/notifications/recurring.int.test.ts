import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createForgetSchedules } from '../../src/domains/notifications/schedule/recurring/forget.js';
import { stampOf } from '../../src/domains/notifications/schedule/recurring/rule.js';
import type {
  NewSchedule,
  ScheduleAction,
} from '../../src/domains/notifications/schedule/recurring/schedules.js';
import { systemClock } from '../../src/platform/clock.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { deaths, mortal } from './mortal-postgres.js';
import {
  admin,
  aTemplate,
  aUser,
  caller,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  unique,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { HeldClock } from './with-sandbox.js';

let world: NotificationWorld;
let clock: SetClock;
let api: ApiOnTest;
let templateId: string;
let userId: string;

/** A clock that a test sets. */
class SetClock extends HeldClock {
  set(text: string): void {
    this.forward((Date.parse(text) - this.now()) / 1000);
  }
}

beforeAll(async () => {
  clock = new SetClock();
  world = await openNotificationWorld(clock);
  api = await openApi(world.notifications, systemClock);
  templateId = await aTemplate(world, 'push', 'NEW_MESSAGE');
  ({ userId } = await aUser(world));
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const schedules = () => world.notifications.schedules;
const input = (own: Partial<NewSchedule> = {}): NewSchedule => ({
  scheduleId: unique('daily').slice(0, 30),
  rrule: 'FREQ=DAILY',
  startsAt: new Date('2027-03-27T08:00:00Z'),
  timezone: 'Europe/Berlin',
  type: 'NEW_MESSAGE',
  templateId,
  recipients: [{ userId, channels: ['push'], variables: { name: 'Ann' } }],
  ...own,
});
async function create(own: Partial<NewSchedule> = {}, now = '2027-03-01T00:00:00Z') {
  clock.set(now);
  const created = await schedules().create(shop, input(own));
  if (!created.ok) throw new Error(JSON.stringify(created.errors));
  return created.value;
}
/** Nobody who has had as many as the limits allow. */
const toSomebody = async () => {
  const somebody = await aUser(world);
  return { recipients: [{ userId: somebody.userId, channels: ['push' as const] }] };
};
const run = async (notifications = world.notifications) => {
  const worker = notifications.openDelivery({ providers: {} as never });
  while (!(await worker.sendRecurring()).isLast);
};
const sentAt = async (scheduleId: string, ...stamps: string[]) =>
  Promise.all(stamps.map(async (stamp) => (await deliveriesOf(world, `${scheduleId}.${stamp}`)).length));

/** As the schedule's producer, by its own id. */
const controlOwn = async (scheduleId: string, action: ScheduleAction) =>
  schedules().control(shop, (await schedules().find('shop', scheduleId))?.seriesId ?? null, action);

describe('a recurring notification', () => {
  it('is sent once at each occurrence, on its own clock, right across daylight saving', async () => {
    const { scheduleId } = await create({ rrule: 'FREQ=DAILY;COUNT=3' });
    // 08:00 in Berlin is 07:00 UTC in winter, and 06:00 in summer.
    for (const [now, sent] of [
      ['2027-03-27T06:59:59Z', [0, 0, 0]],
      ['2027-03-27T07:00:00Z', [1, 0, 0]],
      ['2027-03-28T05:59:59Z', [1, 0, 0]],
      ['2027-03-28T06:00:00Z', [1, 1, 0]],
      ['2027-03-29T06:00:00Z', [1, 1, 1]],
    ] as const) {
      clock.set(now);
      await run();
      await run();
      const days = ['20270327T080000', '20270328T080000', '20270329T080000'];
      expect([now, await sentAt(scheduleId, ...days)]).toEqual([now, sent]);
    }
    expect(await schedules().find('shop', scheduleId)).toMatchObject({
      ...{ status: 'COMPLETED', occurrences: 3, nextAt: null, lastError: null },
      lastNotificationId: `${scheduleId}.20270329T080000`,
    });
  });

  it('goes by the clock of each recipient where it has none', async () => {
    const far = await aUser(world);
    await world.notifications.updateSettings(far.userId, { timezone: 'Pacific/Kiritimati' });
    const recipients = [userId, far.userId].map((one) => ({ userId: one, channels: ['push' as const] }));
    const { scheduleId } = await create({ timezone: undefined, recipients });
    clock.set('2027-03-26T17:00:00Z');
    await run();
    const deliveries = await deliveriesOf(world, `${scheduleId}.20270327T080000`);
    const timelines = await world.notifications.timelines(deliveries.map(({ deliveryId }) => deliveryId));
    const dues = deliveries.map(({ deliveryId }) => timelines.get(deliveryId)?.at(-1)?.detail?.due_at);
    expect(dues).toEqual(['2027-03-27T08:00:00.000Z', '2027-03-26T18:00:00.000Z']);
  });

  it('stays away while it is paused, and for good once it is cancelled', async () => {
    const { scheduleId, seriesId } = await create();
    clock.set('2027-03-27T07:00:00Z');
    await run();
    expect(await schedules().control(shop, seriesId, 'PAUSE')).toMatchObject({
      value: { status: 'PAUSED' },
    });
    clock.set('2027-03-30T12:00:00Z');
    await run();
    expect(await schedules().control(shop, seriesId, 'RESUME')).toMatchObject({
      value: { status: 'ACTIVE', nextAt: new Date('2027-03-31T08:00:00Z') },
    });
    clock.set('2027-03-31T06:00:00Z');
    await run();
    const days = ['20270327T080000', '20270328T080000', '20270330T080000', '20270331T080000'];
    expect(await sentAt(scheduleId, ...days)).toEqual([1, 0, 0, 1]);
    expect(await schedules().control(shop, seriesId, 'CANCEL')).toMatchObject({
      value: { status: 'CANCELLED', nextAt: null },
    });
    clock.set('2027-04-02T06:00:00Z');
    await run();
    expect(await sentAt(scheduleId, '20270401T080000')).toEqual([0]);
    expect(await schedules().control(shop, seriesId, 'RESUME')).toMatchObject({
      errors: [{ code: 'SCHEDULE_OVER', path: ['input', 'scheduleId'] }],
    });
  });

  it('makes up for the last occurrence that was missed, and for no other', async () => {
    const { scheduleId } = await create({ rrule: 'FREQ=HOURLY' });
    clock.set('2027-03-27T10:30:00Z');
    await run();
    const hours = ['20270327T080000', '20270327T100000', '20270327T110000', '20270327T120000'];
    expect(await sentAt(scheduleId, ...hours)).toEqual([0, 0, 1, 0]);
  });

  it('notes why it was refused, and goes on', async () => {
    const { scheduleId } = await create({ recipients: [{ userId: unique('nobody'), channels: ['push'] }] });
    clock.set('2027-03-27T07:00:00Z');
    await run();
    expect(await schedules().find('shop', scheduleId)).toMatchObject({
      ...{ status: 'ACTIVE', lastError: 'NOTHING_TO_SEND', nextAt: new Date('2027-03-28T08:00:00Z') },
    });
  });

  it('is its producer’s: strangers find none, and one id is one schedule', async () => {
    const { scheduleId, seriesId } = await create();
    const stranger = caller('bakery', 'producer');
    expect(await schedules().find('bakery', scheduleId)).toBeNull();
    for (const missing of [seriesId, null])
      expect(await schedules().control(stranger, missing, 'CANCEL')).toMatchObject({
        errors: [{ code: 'NOT_FOUND', path: ['input', 'scheduleId'] }],
      });
    const again = await schedules().create(shop, input({ scheduleId }));
    expect(again).toMatchObject({ ok: true, value: { scheduleId } });
    expect(await schedules().create(shop, input({ scheduleId, rrule: 'FREQ=WEEKLY' }))).toMatchObject({
      errors: [{ code: 'SCHEDULE_ID_REUSED', path: ['input', 'scheduleId'] }],
    });
    const page = { limit: 100, direction: 'forward', cursor: null } as const;
    const idsOf = async (who: typeof shop) =>
      (await schedules().page(who, page)).edges.map(({ node }) => node.scheduleId);
    expect(await idsOf(shop)).toContain(scheduleId);
    expect(await idsOf(admin)).toContain(scheduleId);
    expect(await idsOf(stranger)).toEqual([]);
  });

  it('is controlled by its producer under either id, and by an admin under its global id', async () => {
    const control = (userId: string, role: 'producer' | 'admin', scheduleId: string, action: string) =>
      api.graphql(
        userId,
        `mutation ($input: ControlNotificationScheduleInput!) {
          controlNotificationSchedule(input: $input) { schedule { status } userErrors { code path } } }`,
        { input: { scheduleId, action } },
        'user',
        role,
      );
    const { scheduleId, seriesId } = await create();
    const globalId = toGlobalId('NotificationSchedule', seriesId);
    for (const [userId, role, id, action, status] of [
      ['shop', 'producer', scheduleId, 'PAUSE', 'PAUSED'],
      ['shop', 'producer', globalId, 'RESUME', 'ACTIVE'],
      ['root', 'admin', globalId, 'CANCEL', 'CANCELLED'],
    ] as const)
      expect((await control(userId, role, id, action)).data.controlNotificationSchedule).toEqual({
        schedule: { status },
        userErrors: [],
      });
    for (const [userId, role, id] of [
      ['bakery', 'producer', globalId],
      ['bakery', 'producer', scheduleId],
      ['root', 'admin', scheduleId],
      ['root', 'admin', toGlobalId('NotificationSchedule', 'none')],
    ] as const)
      expect((await control(userId, role, id, 'PAUSE')).data.controlNotificationSchedule).toEqual({
        schedule: null,
        userErrors: [{ code: 'NOT_FOUND', path: ['input', 'scheduleId'] }],
      });
  });

  it('is checked before it is hashed, and a repeat after its start answers the first', async () => {
    let nested: unknown = 'deep';
    for (let depth = 0; depth < 20_000; depth++) nested = [nested];
    clock.set('2027-03-01T00:00:00Z');
    const recipients = [{ userId, variables: { name: nested } }];
    expect(await schedules().create(shop, input({ recipients }))).toMatchObject({
      errors: [{ code: 'VARIABLE_INVALID', path: ['input', 'recipients', '0', 'variables', 'name'] }],
    });
    const once = input();
    expect(await schedules().create(shop, once)).toMatchObject({ ok: true });
    clock.set('2027-04-01T00:00:00Z');
    expect(await schedules().create(shop, once)).toMatchObject({ value: { scheduleId: once.scheduleId } });
    expect(await schedules().create(shop, input())).toMatchObject({ errors: [{ code: 'SCHEDULE_IN_PAST' }] });
    await schedules().control(shop, (await schedules().find('shop', once.scheduleId))!.seriesId, 'CANCEL');
  });

  it.each([
    ['RRULE_TOO_OFTEN', 'rrule', { rrule: 'FREQ=SECONDLY' }],
    ['RRULE_INVALID', 'rrule', { rrule: 'daily' }],
    ['RRULE_NEVER', 'rrule', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }],
    ['TIMEZONE_UNKNOWN', 'timezone', { timezone: 'Mars/Olympus' }],
    ['SCHEDULE_IN_PAST', 'startsAt', { startsAt: new Date('2027-01-01T00:00:00Z') }],
    ['SCHEDULE_TOO_FAR', 'startsAt', { startsAt: new Date('2029-01-01T00:00:00Z') }],
    ['ID_INVALID', 'scheduleId', { scheduleId: 'x'.repeat(41) }],
    ['NO_RECIPIENTS', 'recipients', { recipients: [] }],
    ['TEMPLATE_NOT_FOUND', 'templateId', { templateId: 'none' }],
  ])('is refused with %s', async (code, field, own) => {
    clock.set('2027-03-01T00:00:00Z');
    expect(await schedules().create(shop, input(own))).toMatchObject({
      errors: [{ code, path: ['input', field] }],
    });
  });

  it('is of a bounded size, and a producer has a bounded number of them', async () => {
    clock.set('2027-03-01T00:00:00Z');
    const variables = { name: 'x'.repeat(60_000) };
    const recipients = Array.from({ length: 20 }, (_, n) => ({ userId: `user-${n}`, variables }));
    expect(await schedules().create(shop, input({ recipients }))).toMatchObject({
      errors: [{ code: 'SCHEDULE_TOO_LARGE', path: ['input', 'recipients'] }],
    });
    const busy = caller('busy', 'producer');
    expect(await schedules().create(busy, input())).toMatchObject({ ok: true });
    await world.postgres.query(
      `INSERT INTO notification_schedules (series_id, producer, schedule_id, rrule, starts_at, request, status, correlation_id,
                                           created_at, body_hash)
       SELECT gen_random_uuid(), producer, 'more-' || n, rrule, starts_at, request, 'PAUSED', correlation_id, created_at, body_hash
       FROM notification_schedules, generate_series(2, 1000) n WHERE producer = 'busy'`,
    );
    expect(await schedules().create(busy, input())).toMatchObject({
      errors: [{ code: 'TOO_MANY_SCHEDULES', path: ['input', 'scheduleId'] }],
    });
    await world.postgres.query(`DELETE FROM notification_schedules WHERE producer = 'busy'`);
  });

  it.each(deaths(10))('is sent once where a process is killed $when statement $at', async ({ when, at }) => {
    const { scheduleId } = await create({ rrule: 'FREQ=DAILY;COUNT=1' });
    clock.set('2027-03-27T07:00:00Z');
    const postgres = mortal(world.postgres, when, at, { forGood: true });
    await run(world.another({ postgres })).catch(() => undefined);
    await run();
    const deliveries = await deliveriesOf(world, `${scheduleId}.20270327T080000`);
    expect(deliveries).toHaveLength(1);
    expect(await timelineOf(world, deliveries[0]!.deliveryId)).toEqual([
      ...['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'QUEUED'],
    ]);
    expect(await schedules().find('shop', scheduleId)).toMatchObject({ status: 'COMPLETED', occurrences: 1 });
  });

  it.each(
    [0, 1, 30, 60, 90, 120, 150, 180].flatMap((minutes) => [
      { minutes, timezone: undefined },
      { minutes, timezone: 'UTC' },
    ]),
  )('is sent once where it starts in $minutes minutes, on the clock of $timezone', async (own) => {
    const now = '2027-04-05T10:00:00Z';
    const startsAt = new Date(Date.parse(now) + own.minutes * 60_000);
    const { timezone } = own;
    const { scheduleId } = await create(
      { rrule: 'FREQ=DAILY;COUNT=1', startsAt, timezone, ...(await toSomebody()) },
      now,
    );
    clock.set(startsAt.toISOString());
    await run();
    await run();
    expect(await sentAt(scheduleId, stampOf(startsAt))).toEqual([1]);
    expect(await schedules().find('shop', scheduleId)).toMatchObject({
      ...{ status: 'COMPLETED', occurrences: 1, lastError: null },
      lastNotificationId: `${scheduleId}.${stampOf(startsAt)}`,
    });
  });

  it('sends each time of the first day that is ahead, on the clock of each recipient', async () => {
    const startsAt = new Date('2027-04-06T12:00:00Z');
    const own = {
      rrule: 'FREQ=DAILY;BYHOUR=12,18;COUNT=2',
      startsAt,
      timezone: undefined,
      ...(await toSomebody()),
    };
    const { scheduleId } = await create(own, '2027-04-06T10:00:00Z');
    await run();
    expect(await sentAt(scheduleId, '20270406T120000', '20270406T180000')).toEqual([1, 1]);
  });

  it('goes on with the next time from now on where it has no clock, and is resumed', async () => {
    const startsAt = new Date('2027-04-07T12:00:00Z');
    const { scheduleId } = await create(
      { startsAt, timezone: undefined, ...(await toSomebody()) },
      '2027-04-06T20:00:00Z',
    );
    await controlOwn(scheduleId, 'PAUSE');
    clock.set('2027-04-07T10:00:00Z');
    const resumed = await controlOwn(scheduleId, 'RESUME');
    expect(resumed).toMatchObject({ value: { nextAt: startsAt, dueAt: new Date('2027-04-07T10:00:00Z') } });
    await run();
    expect(await sentAt(scheduleId, '20270407T120000')).toEqual([1]);
    await controlOwn(scheduleId, 'CANCEL');
  });

  it.each([
    ['2027-04-08T20:00:00Z', 1],
    ['2027-04-08T20:00:01Z', 0],
  ])(
    'is left out later than 8 hours after UTC where it has no clock, though it was put off: at %s',
    async (now, sent) => {
      const startsAt = new Date('2027-04-08T12:00:00Z');
      const own = { rrule: 'FREQ=DAILY;COUNT=1', startsAt, timezone: undefined, ...(await toSomebody()) };
      const { scheduleId } = await create(own);
      await world.postgres.query(`UPDATE notification_schedules SET due_at = $2 WHERE schedule_id = $1`, [
        ...[scheduleId, new Date(now)],
      ]);
      clock.set(now);
      await run();
      expect(await sentAt(scheduleId, '20270408T120000')).toEqual([sent]);
    },
  );

  it('is forgotten so many days after its end, and not before', async () => {
    const { scheduleId: cancelled } = await create();
    const startsAt = new Date('2027-04-10T08:00:00Z');
    const { scheduleId: completed } = await create({ startsAt, rrule: 'FREQ=DAILY;COUNT=1' });
    const { scheduleId: paused } = await create();
    await controlOwn(paused, 'PAUSE');
    clock.set('2027-04-10T06:00:00Z');
    await controlOwn(cancelled, 'CANCEL');
    await run();
    const forget = createForgetSchedules({ postgres: world.postgres, clock, days: 90 });
    const left = async () => {
      await forget(10_000);
      const found = [cancelled, completed, paused].map((id) => schedules().find('shop', id));
      return (await Promise.all(found)).map((one) => one?.status);
    };
    clock.set('2027-07-09T06:00:00Z');
    expect(await left()).toEqual(['CANCELLED', 'COMPLETED', 'PAUSED']);
    clock.set('2027-07-09T06:00:01Z');
    expect(await left()).toEqual([undefined, undefined, 'PAUSED']);
  });
});
