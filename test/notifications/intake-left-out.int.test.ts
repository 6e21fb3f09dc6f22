import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  unique,
} from './notification-world.js';
import { HeldClock } from './with-sandbox.js';

let world: NotificationWorld;
let clock: HeldClock;
let templateId: string;
const type = 'ORDER_SHIPPED';

beforeAll(async () => {
  clock = new HeldClock();
  world = await openNotificationWorld(clock);
  templateId = await aTemplate(world, 'push', type, { title: 'On its way' });
  await aTemplate(world, 'email', type, { subject: 'Shipped' });
  await aTemplate(world, 'sms', type);
});
afterAll(() => world.close());

const send = (request: Parameters<typeof world.notifications.send>[1], by = shop) =>
  world.notifications.send(by, request);
describe('a recipient is left out', () => {
  it('on a channel that they switched off', async () => {
    const { userId } = await aUser(world);
    await world.notifications.setPreferences(userId, [
      { notificationType: type, channel: 'sms', enabled: false },
    ]);
    const request = aRequest({ templateId, recipients: [{ userId }] });
    expect(await send(request)).toMatchObject({
      value: { notificationsQueued: 2, suppressed: [{ userId, channel: 'sms', reason: 'CHANNEL_DISABLED' }] },
    });
    const sms = (await deliveriesOf(world, request.notificationId)).find((one) => one.channel === 'sms')!;
    expect(sms).toMatchObject({ status: 'SUPPRESSED', suppression: 'CHANNEL_DISABLED', content: null });
    expect(await timelineOf(world, sms.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'SUPPRESSED',
    ]);
  });

  it('in their quiet hours, unless the type may wake them', async () => {
    const { userId } = await aUser(world);
    const quiet = { quietHoursStart: '00:00', quietHoursEnd: '23:59' };
    await world.notifications.updateSettings(userId, quiet);
    const urgent = await aTemplate(world, 'push', 'SECURITY_ALERT');
    const other = await aUser(world);
    const recipients = [
      { userId, channels: ['push' as const] },
      { userId: other.userId, channels: ['push' as const] },
    ];
    expect(await send(aRequest({ templateId, recipients }))).toMatchObject({
      value: { notificationsQueued: 1, suppressed: [{ userId, reason: 'QUIET_HOURS' }] },
    });
    expect(await send(aRequest({ templateId: urgent, type: 'SECURITY_ALERT', recipients }))).toMatchObject({
      value: { notificationsQueued: 2, suppressed: [] },
    });
  });

  it('where they have no address, a required variable is missing, or they are named twice', async () => {
    const needy = await aTemplate(world, 'push', 'NEEDY', {
      variables: { code: { type: 'string', required: true } },
    });
    const [ann, bob] = await Promise.all([aUser(world, 'ann'), aUser(world, 'bob')]);
    const nobody = unique('nobody');
    const channels = ['push' as const];
    const result = await send(
      aRequest({
        templateId: needy,
        recipients: [
          { userId: ann.userId, channels, variables: { code: 'x' } },
          { userId: bob.userId, channels },
          { userId: nobody, channels, variables: { code: 'x' } },
          { userId: ann.userId, channels, variables: { code: 'y' } },
        ],
      }),
    );
    expect(result).toMatchObject({
      value: {
        notificationsQueued: 1,
        suppressed: [
          { userId: bob.userId, reason: 'MISSING_VARIABLE', detail: expect.stringMatching(`code.*${needy}`) },
          { userId: nobody, reason: 'NO_ADDRESS' },
          { userId: ann.userId, reason: 'DUPLICATE' },
        ],
      },
    });
  });

  it('from marketing that they did not opt in to', async () => {
    const marketing = await aTemplate(world, 'push', 'MARKETING_CAMPAIGN');
    const { userId } = await aUser(world);
    await world.notifications.updateSettings(userId, { marketingOptIn: false });
    const result = await send(
      aRequest({
        templateId: marketing,
        type: 'MARKETING_CAMPAIGN',
        recipients: [{ userId, channels: ['push'] }],
      }),
    );
    expect(result).toMatchObject({ ok: false, errors: [{ code: 'NOTHING_TO_SEND' }] });
  });
});

describe('a request of which everybody is left out', () => {
  it('leaves a trace: who was left out on which channel, and why', async () => {
    const { userId } = await aUser(world);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'push' as const, enabled: false };
    await world.notifications.setPreferences(userId, [off]);
    const recipients = [
      { userId, channels: ['push' as const] },
      { userId: unique('stranger'), channels: ['email' as const] },
    ];
    const request = aRequest({ templateId, recipients });
    const refused = { ok: false, errors: [{ code: 'NOTHING_TO_SEND' }] };
    expect(await send(request)).toMatchObject(refused);
    const found = await world.notifications.request(shop, request.notificationId, null);
    expect(found).toMatchObject({ status: 'COMPLETED', producer: 'shop' });
    const deliveries = await deliveriesOf(world, request.notificationId);
    expect(deliveries.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['SUPPRESSED', 'CHANNEL_DISABLED'],
      ['SUPPRESSED', 'NO_ADDRESS'],
    ]);
    expect(await timelineOf(world, deliveries[0]!.deliveryId)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'SUPPRESSED',
    ]);
    expect(await world.notifications.request(caller('other', 'producer'), request.notificationId, null)).toBe(
      null,
    );
  });

  it('leaves one trace, however often it is repeated, and its id free', async () => {
    const { userId } = await aUser(world);
    const preference = (enabled: boolean) =>
      world.notifications.setPreferences(userId, [
        { notificationType: 'ORDER_SHIPPED', channel: 'push', enabled },
      ]);
    const request = aRequest({ templateId, recipients: [{ userId, channels: ['push'] }] });
    await preference(false);
    for (let call = 0; call < 3; call += 1) expect((await send(request)).ok).toBe(false);
    const count = async () =>
      (
        await world.postgres.query('SELECT FROM notification_requests WHERE notification_id = $1', [
          request.notificationId,
        ])
      ).rows.length;
    expect(await count()).toBe(1);
    await preference(true);
    expect(await send(request)).toMatchObject({ ok: true, value: { notificationsQueued: 1 } });
    expect(await count()).toBe(2);
    const newest = await deliveriesOf(world, request.notificationId);
    expect(newest.some(({ status }) => status === 'QUEUED')).toBe(true);
  });

  it('is not what is found under its id where one was accepted at the same time', async () => {
    const { userId } = await aUser(world);
    const notificationId = unique('both');
    const of = (recipient: string) =>
      aRequest({ notificationId, templateId, recipients: [{ userId: recipient, channels: ['push'] }] });
    expect((await send(of(unique('stranger')))).ok).toBe(false);
    const trace = await world.notifications.request(shop, notificationId, null);
    expect((await send(of(userId))).ok).toBe(true);
    await world.postgres.query(
      "UPDATE notification_requests SET created_at = created_at + interval '1 s' WHERE request_id = $1",
      [trace!.requestId],
    );
    const found = await world.notifications.request(shop, notificationId, null);
    expect(found?.requestId).not.toBe(trace!.requestId);
  });

  it('does not hide an earlier request of its id', async () => {
    const { userId } = await aUser(world);
    const notificationId = unique('reused');
    const recipients = [{ userId, channels: ['push' as const] }];
    expect((await send(aRequest({ notificationId, templateId, recipients }))).ok).toBe(true);
    const first = await world.notifications.request(shop, notificationId, null);
    await world.postgres.query('DELETE FROM notification_ids WHERE notification_id = $1', [notificationId]);
    const nobody = [{ userId: unique('stranger'), channels: ['email' as const] }];
    expect((await send(aRequest({ notificationId, templateId, recipients: nobody }))).ok).toBe(false);
    expect(await world.notifications.request(shop, notificationId, null)).toEqual(first);
  });
});
