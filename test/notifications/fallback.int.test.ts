import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/domains/notifications/types.js';
import { type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aRequest, aTemplate, aUser, deliveriesOf, shop, timelineOf, until } from './notification-world.js';

let pushes: DeliveryTrial;

beforeAll(async () => {
  pushes = await openDeliveryTrial();
  await aTemplate(pushes.world, 'sms', 'ORDER_SHIPPED', { body: 'SMS for {{name}}' });
  await aTemplate(pushes.world, 'email', 'ORDER_SHIPPED', { subject: 'Shipped' });
  pushes.world.runSchedules();
});
beforeEach(async () => {
  await pushes.trial.reset();
  pushes.startWorker();
});
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

/** A push that is refused for good, with channels to fall back to. */
async function failingPush(userId: string, fallbackChannels: readonly Channel[]) {
  await pushes.trial.misbehave({ channel: 'push', status: 400, reason: 'BadTopic' });
  const recipients = [{ userId, channels: ['push' as const], variables: { name: 'Ann' } }];
  const request = aRequest({ templateId: pushes.templateId, recipients, fallbackChannels });
  expect(await pushes.world.notifications.send(shop, request)).toMatchObject({ ok: true });
  return request.notificationId;
}

const byChannel = async (notificationId: string) =>
  new Map((await deliveriesOf(pushes.world, notificationId)).map((one) => [one.channel, one]));
const settled = (notificationId: string, channel: Channel, ...statuses: string[]) =>
  until(async () => {
    const delivery = (await byChannel(notificationId)).get(channel);
    return delivery && statuses.includes(delivery.status) && delivery;
  });

describe('a delivery that is given up', () => {
  it('is sent on its first fallback channel, in that channel’s text, and the timeline says whose it is', async () => {
    const { userId } = await aUser(pushes.world);
    const notificationId = await failingPush(userId, ['sms', 'email']);
    const dead = await settled(notificationId, 'push', 'DEAD');
    const sms = await settled(notificationId, 'sms', 'SENT', 'DELIVERED');
    expect(sms.fallbackForId).toBe(dead.deliveryId);
    expect(sms.content?.body).toBe('SMS for Ann');
    expect((await timelineOf(pushes.world, sms.deliveryId)).slice(0, 6)).toEqual([
      'CREATED',
      'VALIDATED',
      'PREFERENCE_CHECKED',
      'RENDERED',
      'QUEUED',
      'SENT',
    ]);
    expect((await byChannel(notificationId)).has('email')).toBe(false);
  });

  it('goes down the list past a channel that its user switched off', async () => {
    const { userId } = await aUser(pushes.world);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'sms' as const, enabled: false };
    await pushes.world.notifications.setPreferences(userId, [off]);
    const notificationId = await failingPush(userId, ['sms', 'email']);
    const sms = await settled(notificationId, 'sms', 'SUPPRESSED');
    expect(sms.suppression).toBe('CHANNEL_DISABLED');
    const email = await settled(notificationId, 'email', 'SENT', 'DELIVERED');
    expect(email.fallbackForId).toBe(sms.deliveryId);
  });

  it('falls back to no channel that the notification went to already', async () => {
    const { userId } = await aUser(pushes.world);
    await pushes.trial.misbehave({ channel: 'push', status: 400, reason: 'BadTopic' });
    const recipients = [{ userId, channels: ['push' as const, 'sms' as const] }];
    const fallbackChannels = ['sms', 'push'] as const;
    const request = aRequest({ templateId: pushes.templateId, recipients, fallbackChannels });
    await pushes.world.notifications.send(shop, request);
    await settled(request.notificationId, 'push', 'DEAD');
    expect(await deliveriesOf(pushes.world, request.notificationId)).toHaveLength(2);
  });
});
