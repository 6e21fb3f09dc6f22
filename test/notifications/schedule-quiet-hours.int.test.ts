import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  caller,
  deliveriesOf,
  shop,
  timelineOf,
  until,
} from './notification-world.js';
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

describe('quiet hours', () => {
  /** Somebody whose quiet hours began an hour ago and end in two. */
  async function aSleeper() {
    const { userId, token } = await aUser(scheduling.world);
    const at = (hours: number) => new Date(scheduling.clock.now() + hours * HOUR).toISOString().slice(11, 16);
    await scheduling.world.notifications.updateSettings(userId, {
      quietHoursStart: at(-1),
      quietHoursEnd: at(2),
    });
    return { userId, token };
  }

  it('defer a type that is to wait for their end', async () => {
    const { userId, token } = await aSleeper();
    const ofType = await aTemplate(scheduling.world, 'push', 'NEW_MESSAGE');
    const recipients = [{ userId, channels: ['push' as const] }];
    const request = aRequest({ type: 'NEW_MESSAGE', templateId: ofType, recipients });
    const accepted = await scheduling.world.notifications.send(shop, request);
    expect(accepted).toMatchObject({ value: { notificationsQueued: 1 } });
    const { estimatedDelivery } = (accepted as { value: { estimatedDelivery: string } }).value;
    const untilThenMs = new Date(estimatedDelivery).getTime() - scheduling.clock.now();
    expect(untilThenMs).toBeGreaterThan(HOUR);
    expect(untilThenMs).toBeLessThanOrEqual(2 * HOUR + 90_000);
    const held = await scheduling.only(request.notificationId);
    expect(held.status).toBe('SCHEDULED');
    scheduling.clock.forward(7_260);
    await scheduling.inStatus(request.notificationId, 'DELIVERED');
    expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
  });

  it('drop a test message also of a type that is to wait: it would come with another text, long after', async () => {
    const { userId } = await aSleeper();
    const templateId = await aTemplate(scheduling.world, 'push', 'NEW_MESSAGE');
    const trial = { templateId, userId, channel: 'push', variables: {} } as const;
    expect(await scheduling.world.notifications.templates.sendTest(admin, trial)).toMatchObject({
      errors: [{ code: 'NOTHING_TO_SEND', message: expect.stringContaining('QUIET_HOURS') }],
    });
  });

  it('let a type pass that is to pass, and drop the others', async () => {
    const { userId } = await aSleeper();
    const ofType = await aTemplate(scheduling.world, 'push', 'COMMENT_REPLY');
    const recipients = [{ userId, channels: ['push' as const] }];
    const reply = aRequest({ type: 'COMMENT_REPLY', templateId: ofType, recipients });
    expect(await scheduling.world.notifications.send(shop, reply)).toMatchObject({
      value: { notificationsQueued: 1 },
    });
    expect(
      await scheduling.world.notifications.send(
        shop,
        aRequest({ templateId: scheduling.templateId, recipients }),
      ),
    ).toMatchObject({
      errors: [{ code: 'NOTHING_TO_SEND' }],
    });
  });
});

describe('cancelling', () => {
  it('cancels what was not sent, once', async () => {
    const { userId, token } = await aUser(scheduling.world);
    const notificationId = await scheduling.schedule(userId);
    expect(await scheduling.world.notifications.cancel(shop, notificationId)).toEqual({ ok: true, value: 1 });
    expect(await scheduling.world.notifications.cancel(shop, notificationId)).toEqual({ ok: true, value: 0 });
    scheduling.clock.forward(3_601);
    // What is due later is sent: so what was cancelled had its time.
    const later = await scheduling.schedule(userId, { scheduleAt: new Date(scheduling.clock.now() + 1_000) });
    scheduling.clock.forward(2);
    await scheduling.inStatus(later, 'DELIVERED');
    const cancelled = await scheduling.only(notificationId);
    expect(cancelled.status).toBe('CANCELLED');
    expect(await timelineOf(scheduling.world, cancelled.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'SCHEDULED',
      'CANCELLED',
    ]);
    expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toHaveLength(1);
    expect(await scheduling.world.notifications.request(shop, notificationId, null)).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('lets a call that is on its way end, and makes no other', async () => {
    const { userId, token } = await aUser(scheduling.world);
    await scheduling.trial.misbehave({ channel: 'push', status: 503, latencyMs: 500, times: 1 });
    const recipients = [{ userId, channels: ['push' as const] }];
    const request = aRequest({ templateId: scheduling.templateId, recipients, fallbackChannels: ['sms'] });
    await scheduling.world.notifications.send(shop, request);
    const { deliveryId } = await scheduling.only(request.notificationId);
    await until(async () => {
      const leased = 'SELECT FROM pending_deliveries WHERE delivery_id = $1 AND lease_until IS NOT NULL';
      return (await scheduling.world.postgres.query(leased, [deliveryId])).rowCount === 1;
    });
    expect(await scheduling.world.notifications.cancel(shop, request.notificationId)).toEqual({
      ok: true,
      value: 0,
    });
    const cancelled = await scheduling.inStatus(request.notificationId, 'CANCELLED');
    expect(await timelineOf(scheduling.world, cancelled.deliveryId)).toContain('RETRY');
    expect(await scheduling.trial.received(`?channel=push&to=${token}`)).toEqual([]);
    expect(await deliveriesOf(scheduling.world, request.notificationId)).toHaveLength(1);
  });

  it('comes too late for what was sent, and is refused to strangers', async () => {
    const { userId } = await aUser(scheduling.world);
    const notificationId = await scheduling.schedule(userId, {
      scheduleAt: new Date(scheduling.clock.now() + 1_000),
    });
    const stranger = caller('bakery', 'producer');
    expect(await scheduling.world.notifications.cancel(stranger, notificationId)).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'notificationId'] }],
    });
    scheduling.clock.forward(2);
    await scheduling.inStatus(notificationId, 'DELIVERED');
    expect(await scheduling.world.notifications.cancel(shop, notificationId)).toEqual({ ok: true, value: 0 });
  });
});
