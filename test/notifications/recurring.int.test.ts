import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createForgetSchedules } from '../../src/domains/notifications/schedule/recurring/forget.js';
import { stampOf } from '../../src/domains/notifications/schedule/recurring/rule.js';
import { deaths, mortal } from './mortal-postgres.js';
import { aUser, deliveriesOf, shop, timelineOf, unique } from './notification-world.js';
import { openRecurringWorld, type RecurringWorld } from './recurring-world.js';

let recurring: RecurringWorld;
beforeAll(async () => {
  recurring = await openRecurringWorld();
});
afterAll(() => recurring?.close());

describe('a recurring notification', () => {
  it('is sent once at each occurrence, on its own recurring.clock, right across daylight saving', async () => {
    const { scheduleId } = await recurring.create({ rrule: 'FREQ=DAILY;COUNT=3' });
    // 08:00 in Berlin is 07:00 UTC in winter, and 06:00 in summer.
    for (const [now, sent] of [
      ['2027-03-27T06:59:59Z', [0, 0, 0]],
      ['2027-03-27T07:00:00Z', [1, 0, 0]],
      ['2027-03-28T05:59:59Z', [1, 0, 0]],
      ['2027-03-28T06:00:00Z', [1, 1, 0]],
      ['2027-03-29T06:00:00Z', [1, 1, 1]],
    ] as const) {
      recurring.clock.set(now);
      await recurring.run();
      await recurring.run();
      const days = ['20270327T080000', '20270328T080000', '20270329T080000'];
      expect([now, await recurring.sentAt(scheduleId, ...days)]).toEqual([now, sent]);
    }
    expect(await recurring.schedules().find('shop', scheduleId)).toMatchObject({
      ...{ status: 'COMPLETED', occurrences: 3, nextAt: null, lastError: null },
      lastNotificationId: `${scheduleId}.20270329T080000`,
    });
  });

  it('goes by the clock of each recipient where it has none', async () => {
    const far = await aUser(recurring.world);
    await recurring.world.notifications.updateSettings(far.userId, { timezone: 'Pacific/Kiritimati' });
    const recipients = [recurring.userId, far.userId].map((one) => ({
      userId: one,
      channels: ['push' as const],
    }));
    const { scheduleId } = await recurring.create({ timezone: undefined, recipients });
    recurring.clock.set('2027-03-26T17:00:00Z');
    await recurring.run();
    const deliveries = await deliveriesOf(recurring.world, `${scheduleId}.20270327T080000`);
    const timelines = await recurring.world.notifications.timelines(
      deliveries.map(({ deliveryId }) => deliveryId),
    );
    const dues = deliveries.map(({ deliveryId }) => timelines.get(deliveryId)?.at(-1)?.detail?.due_at);
    expect(dues).toEqual(['2027-03-27T08:00:00.000Z', '2027-03-26T18:00:00.000Z']);
  });

  it('stays away while it is paused, and for good once it is cancelled', async () => {
    const { scheduleId, seriesId } = await recurring.create();
    recurring.clock.set('2027-03-27T07:00:00Z');
    await recurring.run();
    expect(await recurring.schedules().control(shop, seriesId, 'PAUSE')).toMatchObject({
      value: { status: 'PAUSED' },
    });
    recurring.clock.set('2027-03-30T12:00:00Z');
    await recurring.run();
    expect(await recurring.schedules().control(shop, seriesId, 'RESUME')).toMatchObject({
      value: { status: 'ACTIVE', nextAt: new Date('2027-03-31T08:00:00Z') },
    });
    recurring.clock.set('2027-03-31T06:00:00Z');
    await recurring.run();
    const days = ['20270327T080000', '20270328T080000', '20270330T080000', '20270331T080000'];
    expect(await recurring.sentAt(scheduleId, ...days)).toEqual([1, 0, 0, 1]);
    expect(await recurring.schedules().control(shop, seriesId, 'CANCEL')).toMatchObject({
      value: { status: 'CANCELLED', nextAt: null },
    });
    recurring.clock.set('2027-04-02T06:00:00Z');
    await recurring.run();
    expect(await recurring.sentAt(scheduleId, '20270401T080000')).toEqual([0]);
    expect(await recurring.schedules().control(shop, seriesId, 'RESUME')).toMatchObject({
      errors: [{ code: 'SCHEDULE_OVER', path: ['input', 'scheduleId'] }],
    });
  });

  it('makes up for the last occurrence that was missed, and for no other', async () => {
    const { scheduleId } = await recurring.create({ rrule: 'FREQ=HOURLY' });
    recurring.clock.set('2027-03-27T10:30:00Z');
    await recurring.run();
    const hours = ['20270327T080000', '20270327T100000', '20270327T110000', '20270327T120000'];
    expect(await recurring.sentAt(scheduleId, ...hours)).toEqual([0, 0, 1, 0]);
  });

  it('notes why it was refused, and goes on', async () => {
    const { scheduleId } = await recurring.create({
      recipients: [{ userId: unique('nobody'), channels: ['push'] }],
    });
    recurring.clock.set('2027-03-27T07:00:00Z');
    await recurring.run();
    expect(await recurring.schedules().find('shop', scheduleId)).toMatchObject({
      ...{ status: 'ACTIVE', lastError: 'NOTHING_TO_SEND', nextAt: new Date('2027-03-28T08:00:00Z') },
    });
  });

  it.each(deaths(10))('is sent once where a process is killed $when statement $at', async ({ when, at }) => {
    const { scheduleId } = await recurring.create({ rrule: 'FREQ=DAILY;COUNT=1' });
    recurring.clock.set('2027-03-27T07:00:00Z');
    const postgres = mortal(recurring.world.postgres, when, at, { forGood: true });
    await recurring.run(recurring.world.another({ postgres })).catch(() => undefined);
    await recurring.run();
    const deliveries = await deliveriesOf(recurring.world, `${scheduleId}.20270327T080000`);
    expect(deliveries).toHaveLength(1);
    expect(await timelineOf(recurring.world, deliveries[0]!.deliveryId)).toEqual([
      ...['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'QUEUED'],
    ]);
    expect(await recurring.schedules().find('shop', scheduleId)).toMatchObject({
      status: 'COMPLETED',
      occurrences: 1,
    });
  });

  it.each(
    [0, 1, 30, 60, 90, 120, 150, 180].flatMap((minutes) => [
      { minutes, ms: 0, timezone: undefined },
      { minutes, ms: 499, timezone: undefined },
      { minutes, ms: 499, timezone: 'UTC' },
    ]),
  )('is sent once where it starts in $minutes minutes and $ms ms, on the clock of $timezone', async (own) => {
    const now = '2027-04-05T10:00:00Z';
    const startsAt = new Date(Date.parse(now) + own.minutes * 60_000 + own.ms);
    const { timezone } = own;
    const { scheduleId } = await recurring.create(
      { rrule: 'FREQ=DAILY;COUNT=1', startsAt, timezone, ...(await recurring.toSomebody()) },
      now,
    );
    recurring.clock.set(startsAt.toISOString());
    await recurring.run();
    await recurring.run();
    expect(await recurring.sentAt(scheduleId, stampOf(startsAt))).toEqual([1]);
    expect(await recurring.schedules().find('shop', scheduleId)).toMatchObject({
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
      ...(await recurring.toSomebody()),
    };
    const { scheduleId } = await recurring.create(own, '2027-04-06T10:00:00Z');
    await recurring.run();
    expect(await recurring.sentAt(scheduleId, '20270406T120000', '20270406T180000')).toEqual([1, 1]);
  });

  it('goes on with the next time from now on where it has no recurring.clock, and is resumed', async () => {
    const startsAt = new Date('2027-04-07T12:00:00Z');
    const { scheduleId } = await recurring.create(
      { startsAt, timezone: undefined, ...(await recurring.toSomebody()) },
      '2027-04-06T20:00:00Z',
    );
    await recurring.controlOwn(scheduleId, 'PAUSE');
    recurring.clock.set('2027-04-07T10:00:00Z');
    const resumed = await recurring.controlOwn(scheduleId, 'RESUME');
    expect(resumed).toMatchObject({ value: { nextAt: startsAt, dueAt: new Date('2027-04-07T10:00:00Z') } });
    await recurring.run();
    expect(await recurring.sentAt(scheduleId, '20270407T120000')).toEqual([1]);
    await recurring.controlOwn(scheduleId, 'CANCEL');
  });

  it.each([
    ['2027-04-08T20:00:00Z', 1],
    ['2027-04-08T20:00:01Z', 0],
  ])(
    'is left out later than 8 hours after UTC where it has no recurring.clock, though it was put off: at %s',
    async (now, sent) => {
      const startsAt = new Date('2027-04-08T12:00:00Z');
      const own = {
        rrule: 'FREQ=DAILY;COUNT=1',
        startsAt,
        timezone: undefined,
        ...(await recurring.toSomebody()),
      };
      const { scheduleId } = await recurring.create(own);
      await recurring.world.postgres.query(
        `UPDATE notification_schedules SET due_at = $2 WHERE schedule_id = $1`,
        [...[scheduleId, new Date(now)]],
      );
      recurring.clock.set(now);
      await recurring.run();
      expect(await recurring.sentAt(scheduleId, '20270408T120000')).toEqual([sent]);
    },
  );

  it('is forgotten so many days after its end, and not before', async () => {
    const { scheduleId: cancelled } = await recurring.create();
    const startsAt = new Date('2027-04-10T08:00:00Z');
    const { scheduleId: completed } = await recurring.create({ startsAt, rrule: 'FREQ=DAILY;COUNT=1' });
    const { scheduleId: paused } = await recurring.create();
    await recurring.controlOwn(paused, 'PAUSE');
    recurring.clock.set('2027-04-10T06:00:00Z');
    await recurring.controlOwn(cancelled, 'CANCEL');
    await recurring.run();
    const forget = createForgetSchedules({
      postgres: recurring.world.postgres,
      clock: recurring.clock,
      days: 90,
    });
    const left = async () => {
      await forget(10_000);
      const found = [cancelled, completed, paused].map((id) => recurring.schedules().find('shop', id));
      return (await Promise.all(found)).map((one) => one?.status);
    };
    recurring.clock.set('2027-07-09T06:00:00Z');
    expect(await left()).toEqual(['CANCELLED', 'COMPLETED', 'PAUSED']);
    recurring.clock.set('2027-07-09T06:00:01Z');
    expect(await left()).toEqual([undefined, undefined, 'PAUSED']);
  });
});
