import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { admin, caller, shop } from './notification-world.js';
import { openRecurringWorld, type RecurringWorld } from './recurring-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let recurring: RecurringWorld;
let api: ApiOnTest;
beforeAll(async () => {
  recurring = await openRecurringWorld();
  api = await openApi(recurring.world.notifications, systemClock);
});
afterAll(async () => {
  await api?.close();
  await recurring?.close();
});

describe('a recurring notification', () => {
  it('is its producer’s: strangers find none, and one id is one schedule', async () => {
    const { scheduleId, seriesId } = await recurring.create();
    const stranger = caller('bakery', 'producer');
    expect(await recurring.schedules().find('bakery', scheduleId)).toBeNull();
    for (const missing of [seriesId, null])
      expect(await recurring.schedules().control(stranger, missing, 'CANCEL')).toMatchObject({
        errors: [{ code: 'NOT_FOUND', path: ['input', 'scheduleId'] }],
      });
    const again = await recurring.schedules().create(shop, recurring.input({ scheduleId }));
    expect(again).toMatchObject({ ok: true, value: { scheduleId } });
    expect(
      await recurring.schedules().create(shop, recurring.input({ scheduleId, rrule: 'FREQ=WEEKLY' })),
    ).toMatchObject({
      errors: [{ code: 'SCHEDULE_ID_REUSED', path: ['input', 'scheduleId'] }],
    });
    const page = { limit: 100, direction: 'forward', cursor: null } as const;
    const idsOf = async (who: typeof shop) =>
      (await recurring.schedules().page(who, page)).edges.map(({ node }) => node.scheduleId);
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
    const { scheduleId, seriesId } = await recurring.create();
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
    recurring.clock.set('2027-03-01T00:00:00Z');
    const recipients = [{ userId: recurring.userId, variables: { name: nested } }];
    expect(await recurring.schedules().create(shop, recurring.input({ recipients }))).toMatchObject({
      errors: [{ code: 'VARIABLE_INVALID', path: ['input', 'recipients', '0', 'variables', 'name'] }],
    });
    const once = recurring.input();
    expect(await recurring.schedules().create(shop, once)).toMatchObject({ ok: true });
    recurring.clock.set('2027-04-01T00:00:00Z');
    expect(await recurring.schedules().create(shop, once)).toMatchObject({
      value: { scheduleId: once.scheduleId },
    });
    expect(await recurring.schedules().create(shop, recurring.input())).toMatchObject({
      errors: [{ code: 'SCHEDULE_IN_PAST' }],
    });
    await recurring
      .schedules()
      .control(shop, (await recurring.schedules().find('shop', once.scheduleId))!.seriesId, 'CANCEL');
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
    recurring.clock.set('2027-03-01T00:00:00Z');
    expect(await recurring.schedules().create(shop, recurring.input(own))).toMatchObject({
      errors: [{ code, path: ['input', field] }],
    });
  });

  it('is of a bounded size, and a producer has a bounded number of them', async () => {
    recurring.clock.set('2027-03-01T00:00:00Z');
    const variables = { name: 'x'.repeat(60_000) };
    const recipients = Array.from({ length: 20 }, (_, n) => ({ userId: `user-${n}`, variables }));
    expect(await recurring.schedules().create(shop, recurring.input({ recipients }))).toMatchObject({
      errors: [{ code: 'SCHEDULE_TOO_LARGE', path: ['input', 'recipients'] }],
    });
    const busy = caller('busy', 'producer');
    expect(await recurring.schedules().create(busy, recurring.input())).toMatchObject({ ok: true });
    await recurring.world.postgres.query(
      `INSERT INTO notification_schedules (series_id, producer, schedule_id, rrule, starts_at, request, status, correlation_id,
                                           created_at, body_hash)
       SELECT gen_random_uuid(), producer, 'more-' || n, rrule, starts_at, request, 'PAUSED', correlation_id, created_at, body_hash
       FROM notification_schedules, generate_series(2, 999) n WHERE producer = 'busy'`,
    );
    // Of several at once one is the last that they may have.
    const atOnce = await Promise.all(
      Array.from({ length: 8 }, () => recurring.schedules().create(busy, recurring.input())),
    );
    expect(atOnce.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await recurring.schedules().create(busy, recurring.input())).toMatchObject({
      errors: [{ code: 'TOO_MANY_SCHEDULES', path: ['input', 'scheduleId'] }],
    });
    await recurring.world.postgres.query(`DELETE FROM notification_schedules WHERE producer = 'busy'`);
  });
});
