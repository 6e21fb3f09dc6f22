import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCEPTED, type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aRequest, aTemplate, aUser, shop, timelineOf, unique } from './notification-world.js';

let pushes: DeliveryTrial;

beforeAll(async () => {
  pushes = await openDeliveryTrial();
});
beforeEach(() => pushes.trial.reset());
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

describe('mail and SMS', () => {
  it('are sent when the provider takes them, and move only forward as it reports', async () => {
    pushes.startWorker();
    const mail = await aTemplate(pushes.world, 'email', unique('MAIL'), {
      subject: 'Hi',
      htmlBody: '<p>{{name}}</p>',
    });
    const { userId } = await aUser(pushes.world);
    const request = aRequest({
      templateId: mail,
      recipients: [{ userId, channels: ['email'], variables: { name: '<b>' } }],
    });
    await pushes.world.notifications.send(shop, request);
    const { deliveryId } = await pushes.inStatus(request.notificationId, 'SENT');
    const [received] = await pushes.trial.received(`?channel=email&to=${userId}@example.com`);
    expect(JSON.stringify(received?.body)).toContain('<p>&lt;b&gt;</p>');
    const report = (kind: 'delivered' | 'opened' | 'clicked' | 'failed') =>
      pushes.world.notifications.reportAll([{ deliveryId, kind }], 'test');
    expect(await report('opened')).toEqual(['recorded']);
    expect(await report('delivered')).toEqual(['unchanged']);
    expect(await report('failed')).toEqual(['unchanged']);
    expect(await report('clicked')).toEqual(['recorded']);
    expect(await report('clicked')).toEqual(['unchanged']);
    expect(await timelineOf(pushes.world, deliveryId)).toEqual([
      ...ACCEPTED,
      'SENT',
      'DELIVERED',
      'OPENED',
      'CLICKED',
    ]);
  });

  it('are dead once the provider reports failure', async () => {
    pushes.startWorker();
    const sms = await aTemplate(pushes.world, 'sms', unique('SMS'));
    const { userId } = await aUser(pushes.world);
    const request = aRequest({
      templateId: sms,
      priority: 'low',
      recipients: [{ userId, channels: ['sms'] }],
    });
    await pushes.world.notifications.send(shop, request);
    const { deliveryId } = await pushes.inStatus(request.notificationId, 'SENT');
    await pushes.world.notifications.reportAll(
      [{ deliveryId, kind: 'failed', reason: 'undelivered: 30003' }],
      'test',
    );
    expect(await pushes.firstOf(request.notificationId)).toMatchObject({
      status: 'DEAD',
      lastError: 'undelivered: 30003',
    });
  });
});
