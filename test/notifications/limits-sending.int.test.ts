import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aRequest,
  aTemplate,
  aUser,
  type NotificationWorld,
  openNotificationWorld,
  shop,
} from './notification-world.js';

let world: NotificationWorld;
let templateId: string;
let exemptId: string;

beforeAll(async () => {
  world = await openNotificationWorld();
  templateId = await aTemplate(world, 'sms', 'ORDER_SHIPPED');
  exemptId = await aTemplate(world, 'sms', 'PASSWORD_RESET');
});
afterAll(() => world.close());

const text = (userIds: readonly string[], own: { notificationId?: string } = {}) =>
  aRequest({
    templateId,
    recipients: userIds.map((userId) => ({ userId, channels: ['sms'], variables: { name: 'Ann' } })),
    ...own,
  });

it('the sixth text within an hour is left out for its user, and sent to everybody else', async () => {
  const [{ userId: ann }, { userId: bob }] = [await aUser(world, 'ann'), await aUser(world, 'bob')];
  const repeated = text([ann]);
  for (let time = 0; time < 3; time += 1)
    expect(await world.notifications.send(shop, repeated)).toMatchObject({ ok: true });
  for (let sent = 1; sent < 5; sent += 1)
    expect(await world.notifications.send(shop, text([ann]))).toMatchObject({ ok: true });

  const sixth = await world.notifications.send(shop, text([ann, bob]));
  expect(sixth).toMatchObject({
    ok: true,
    value: {
      notificationsQueued: 1,
      suppressed: [{ userId: ann, channel: 'sms', reason: 'RATE_LIMITED' }],
    },
  });
  expect(await world.notifications.send(shop, repeated)).toMatchObject({ ok: true });
  const urgent = await world.notifications.send(shop, {
    ...text([ann]),
    type: 'PASSWORD_RESET',
    templateId: exemptId,
  });
  expect(urgent).toMatchObject({ ok: true, value: { notificationsQueued: 1, suppressed: [] } });
  expect(await world.metrics.metrics()).toContain(
    'notification_rate_limited_total{user_type="channel",channel="sms"} 1',
  );
});
