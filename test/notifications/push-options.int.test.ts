import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkTemplate } from '../../src/domains/notifications/templates/check.js';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';
import { type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { admin, aRequest, aUser, shop, unique } from './notification-world.js';

let pushes: DeliveryTrial;
beforeAll(async () => {
  pushes = await openDeliveryTrial();
});
beforeEach(() => pushes.trial.reset());
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

const draft = (own: object) => ({
  notificationType: unique('TYPE'),
  channel: 'push' as const,
  language: 'en',
  body: 'B',
  activate: true,
  ...own,
});

describe('what only pushes have', () => {
  it('is kept with the template and reaches the phone', async () => {
    const { world, trial } = pushes;
    pushes.startWorker();
    const pushOptions = {
      subtitle: 'from {{name}} & co',
      badge: '{{unread}}',
      color: '#1a2b3c',
      contentAvailable: true,
    };
    const saved = await world.notifications.saveTemplate(admin, draft({ pushOptions }));
    if (!saved.ok) throw new Error(JSON.stringify(saved.errors));
    const { templateId, notificationType: type } = saved.value;
    expect(await world.notifications.findTemplate(templateId)).toMatchObject({ pushOptions });
    const { userId, token } = await aUser(world);
    await world.notifications.registerDevice(userId, {
      deviceId: 'tablet',
      platform: 'android',
      deviceToken: unique('fcm'),
    });
    const recipients = [{ userId, channels: ['push' as const], variables: { name: 'Ann', unread: 7 } }];
    const request = aRequest({ type, templateId, recipients });
    expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
    await pushes.inStatus(request.notificationId, 'DELIVERED');
    const [ios] = await trial.received(`?channel=push&to=${token}`);
    expect(ios?.body).toMatchObject({
      aps: { alert: { subtitle: 'from Ann & co', body: 'B' }, badge: 7, 'content-available': 1 },
    });
    const android = (await trial.received('?channel=push')).find(({ provider }) => provider === 'fcm');
    expect(android?.body).toMatchObject({ message: { android: { notification: { color: '#1a2b3c' } } } });
  });

  it('costs no message: a badge that is no number is left out', () => {
    const none = { title: null, subject: null, htmlBody: null, imageUrl: null, actionUrl: null };
    const template = {
      ...none,
      body: 'B',
      variables: {},
      pushOptions: { badge: '{{n}}', subtitle: '{{s}}' },
    };
    for (const n of ['many', '', '-1', '1.5', '9'.repeat(20)]) {
      expect(renderTemplate(template, { n })).toEqual({ kind: 'rendered', content: { body: 'B' } });
    }
    expect(renderTemplate(template, { n: 0, s: 'a\nb' })).toEqual({
      kind: 'rendered',
      content: { body: 'B', badge: 0, subtitle: 'a b' },
    });
  });

  it('is refused with every fault, and on other channels', () => {
    const faults = (own: object) =>
      checkTemplate(draft(own)).map(({ code, path }) => `${code} ${path?.join('.')}`);
    const bad = { subtitle: 'a\nb', badge: '{{a}}{{b}}', color: 'red' };
    expect(faults({ pushOptions: bad })).toEqual([
      'TEXT_INVALID input.pushOptions.subtitle',
      'TEXT_INVALID input.pushOptions.badge',
      'TEXT_INVALID input.pushOptions.color',
    ]);
    expect(faults({ channel: 'sms', pushOptions: { badge: '1' } })).toEqual([
      'FIELD_NOT_FOR_CHANNEL input.pushOptions',
    ]);
    expect(faults({ channel: 'sms', pushOptions: {} })).toEqual([]);
  });
});
