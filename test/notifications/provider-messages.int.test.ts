import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Provider, ProviderMessage } from '../../src/domains/notifications/providers/provider.js';
import { addresses, neverAborted, type SandboxTrial, someMessage, tryWithSandbox } from './with-sandbox.js';

let trial: SandboxTrial;
beforeAll(async () => {
  trial = await tryWithSandbox();
});
beforeEach(() => trial.reset());
afterAll(() => trial.close());

const to = (platform: keyof typeof addresses, own: Partial<ProviderMessage> = {}) =>
  someMessage({ address: addresses[platform], ...own });
const send = (provider: Provider, message: ProviderMessage) => provider.send(message, neverAborted());

describe('APNs', () => {
  it('says what the notification document says in headers and body', async () => {
    const expiresAt = new Date((Math.floor(trial.clock.now() / 1000) + 60) * 1000);
    const message = to('ios', {
      priority: 'high',
      expiresAt,
      content: { title: 'T', body: 'B', imageUrl: 'https://cdn/x.png', actionUrl: 'app://orders/1' },
    });
    const { ios } = trial.providers();
    await send(ios, message);
    await send(ios, message);

    const [first, second] = await trial.received();
    expect(first?.headers).toMatchObject({
      'apns-topic': trial.config.apns?.topic,
      'apns-priority': '10',
      'apns-push-type': 'alert',
      'apns-expiration': String(expiresAt.getTime() / 1000),
      'apns-collapse-id': message.deliveryId,
    });
    expect(first?.body).toMatchObject({
      aps: { alert: { title: 'T', body: 'B' }, sound: 'default', 'mutable-content': 1 },
      data: {
        deliveryId: message.deliveryId,
        notificationId: message.notificationId,
        type: 'ORDER_SHIPPED',
        actionUrl: 'app://orders/1',
        imageUrl: 'https://cdn/x.png',
      },
    });
    // A repeat collapses on the device and is the same notification to Apple.
    expect(second?.headers['apns-collapse-id']).toBe(first?.headers['apns-collapse-id']);
    expect(second?.providerId).toBe(first?.providerId);
  });

  it('is not stored for an offline device, and saves power, unless asked otherwise', async () => {
    await send(trial.providers().ios, to('ios', { priority: 'low' }));
    const [arrived] = await trial.received();
    expect(arrived?.headers).toMatchObject({ 'apns-expiration': '0', 'apns-priority': '5' });
  });

  it('has a subtitle, a badge and a call to fetch what is new, where the template has them', async () => {
    const content = { title: 'T', subtitle: 'S', body: 'B', badge: 0, contentAvailable: true };
    await send(trial.providers().ios, to('ios', { content }));
    await send(trial.providers().ios, to('ios', { content: { title: 'T', body: 'B' } }));
    const [first, second] = await trial.received();
    expect(first?.body).toMatchObject({
      aps: { alert: { title: 'T', subtitle: 'S', body: 'B' }, badge: 0, 'content-available': 1 },
    });
    expect(second?.body).not.toHaveProperty('aps.badge');
    expect(second?.body).not.toHaveProperty(['aps', 'content-available']);
  });

  it('about a call goes to its own topic at once, with up to 5 KB', async () => {
    const voip = { voip: true } as const;
    const { ios } = trial.providers();
    await send(ios, to('ios', { priority: 'low', content: { body: 'x'.repeat(4_800), ...voip } }));
    const [arrived] = await trial.received();
    expect(arrived?.headers).toMatchObject({
      'apns-push-type': 'voip',
      'apns-topic': `${trial.config.apns?.topic}.voip`,
      'apns-priority': '10',
    });
    const tooLarge = { code: 'PAYLOAD_TOO_LARGE' };
    expect(await send(ios, to('ios', { content: { body: 'x'.repeat(5_000), ...voip } }))).toMatchObject(
      tooLarge,
    );
    expect(await send(ios, to('ios', { content: { body: 'x'.repeat(4_800) } }))).toMatchObject(tooLarge);
  });

  it('collapses under 64 bytes however long the delivery’s id is', async () => {
    const outcome = await send(trial.providers().ios, to('ios', { deliveryId: 'd'.repeat(200) }));
    expect(outcome.kind).toBe('delivered');
  });

  it('carries many calls at once on one session, more than the provider takes in parallel', async () => {
    const { ios } = trial.providers();
    const outcomes = await Promise.all(Array.from({ length: 1500 }, () => send(ios, to('ios'))));
    expect(outcomes.filter(({ kind }) => kind !== 'delivered')).toEqual([]);
    expect(new Set((await trial.received()).map(({ connection }) => connection)).size).toBe(1);
  });

  it('opens another session after GOAWAY, without losing a call', async () => {
    const { ios } = trial.providers();
    await trial.misbehave({ channel: 'push', goaway: true, times: 1 });
    const outcomes = [];
    for (let call = 0; call < 5; call += 1) outcomes.push(await send(ios, to('ios')));

    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('delivered'));
    expect(new Set((await trial.received()).map(({ connection }) => connection)).size).toBe(2);
  });

  it('loses no call of many on their way when GOAWAY comes', async () => {
    const { ios } = trial.providers();
    await send(ios, to('ios'));
    await trial.misbehave({ channel: 'push', goaway: true, rate: 0.02 });
    const outcomes = await Promise.all(Array.from({ length: 400 }, () => send(ios, to('ios'))));

    const unsure = outcomes.filter((outcome) => outcome.kind === 'failed');
    expect(unsure).toEqual([]);
  });

  it('signs a new token after 50 minutes, before the old one ends', async () => {
    const own = await tryWithSandbox();
    const { ios } = own.providers();
    for (let step = 0; step < 5; step += 1) {
      expect((await send(ios, to('ios'))).kind).toBe('delivered');
      own.clock.forward(2999);
    }
    await own.close();
  });

  it('never lets a payload over 4 KB reach the wire', async () => {
    const message = to('ios', { content: { body: 'ä'.repeat(2100) } });
    expect(await send(trial.providers().ios, message)).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      retryable: false,
    });
    expect(await trial.received()).toEqual([]);
  });

  it('says so when its key cannot sign', async () => {
    const { apns } = trial.config;
    if (!apns) throw new Error('not configured');
    const { ios } = trial.providers({ ...trial.config, apns: { ...apns, privateKey: 'no key' } });
    expect(await send(ios, to('ios'))).toMatchObject({ code: 'CREDENTIALS_REFUSED', outcomeUnknown: false });
  });
});

describe('FCM', () => {
  it('has the colour, and parts for the Apple devices and browsers that Google serves', async () => {
    const content = {
      title: 'T',
      subtitle: 'S',
      body: 'B',
      badge: 3,
      color: '#1a2b3c',
      actionUrl: 'https://x.example/1',
    };
    const message = to('android', { priority: 'high', content });
    await send(trial.providers().android, message);
    await send(trial.providers().android, to('android', { content: { body: 'B', actionUrl: 'app://1' } }));
    const [first, second] = await trial.received();
    expect(first?.body).toMatchObject({
      message: {
        android: { notification: { color: '#1a2b3c' } },
        apns: {
          headers: { 'apns-priority': '10', 'apns-collapse-id': message.deliveryId },
          payload: { aps: { alert: { title: 'T', subtitle: 'S', body: 'B' }, badge: 3, sound: 'default' } },
        },
        webpush: {
          headers: { Urgency: 'high', TTL: '86400', Topic: expect.stringMatching(/^[0-9a-f]{32}$/) },
          notification: { tag: message.deliveryId },
          fcm_options: { link: 'https://x.example/1' },
        },
      },
    });
    expect(second?.body).not.toHaveProperty('message.webpush.fcm_options');
    expect(second?.body).not.toHaveProperty('message.android.notification.color');
  });

  it('says what the notification document says in its body', async () => {
    const message = to('android', {
      priority: 'high',
      expiresAt: new Date(trial.clock.now() + 90_500),
      content: { title: 'T', body: 'B', imageUrl: 'https://cdn/x.png', actionUrl: 'app://orders/1' },
    });
    await send(trial.providers().android, message);
    const [arrived] = await trial.received();
    expect(arrived?.body).toMatchObject({
      message: {
        token: message.address,
        notification: { title: 'T', body: 'B', image: 'https://cdn/x.png' },
        data: { deliveryId: message.deliveryId, actionUrl: 'app://orders/1' },
        android: {
          priority: 'HIGH',
          ttl: '90s',
          notification: {
            channel_id: 'ORDER_SHIPPED',
            click_action: 'app://orders/1',
            sound: 'default',
            tag: message.deliveryId,
          },
        },
      },
    });
  });

  it('never lets a payload over 4 KB reach the wire', async () => {
    const message = to('android', { content: { body: 'ä'.repeat(2100) } });
    expect(await send(trial.providers().android, message)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(await trial.received()).toEqual([]);
  });

  it('logs in again before its access token ends', async () => {
    const own = await tryWithSandbox();
    const { android } = own.providers();
    for (let step = 0; step < 5; step += 1) {
      expect((await send(android, to('android'))).kind).toBe('delivered');
      own.clock.forward(3000);
    }
    await own.close();
  });

  it('says so when its key is not the account’s', async () => {
    const { fcm } = trial.config;
    if (!fcm) throw new Error('not configured');
    const { android } = trial.providers({ ...trial.config, fcm: { ...fcm, clientEmail: 'someone@else' } });
    expect(await send(android, to('android'))).toMatchObject({
      code: 'CREDENTIALS_REFUSED',
      reason: 'invalid_grant',
      outcomeUnknown: false,
    });
  });
});

describe('SendGrid', () => {
  it('fills the template with the rendered fields and names the notification in headers', async () => {
    const message = to('email', { content: { subject: 'S', body: 'B', htmlBody: '<p>B</p>' } });
    await send(trial.providers().email, message);
    const [arrived] = await trial.received('?channel=email&to=alice@example.com');
    expect(arrived?.body).toMatchObject({
      from: { email: trial.config.sendgrid?.from },
      template_id: trial.config.sendgrid?.templateId,
      personalizations: [
        {
          to: [{ email: 'alice@example.com' }],
          dynamic_template_data: { subject: 'S', body: 'B', html_body: '<p>B</p>' },
        },
      ],
      headers: { 'X-Notification-ID': message.notificationId, 'List-Unsubscribe': expect.any(String) },
      custom_args: { deliveryId: message.deliveryId, notificationId: message.notificationId },
    });
  });

  it('encodes an id that no header can have as it is', async () => {
    const notificationId = '注'.repeat(64);
    await send(trial.providers().email, to('email', { notificationId }));
    const { headers } = (await trial.received())[0]!.body as { headers: Record<string, string> };
    const value = headers['X-Notification-ID']!;
    expect(value).toMatch(/^[ -~]+$/);
    expect((await simpleParser(`Subject: ${value}\r\n\r\n`)).subject).toBe(notificationId);
  });

  it('gives a malformed address up for good', async () => {
    expect(await send(trial.providers().email, to('email', { address: 'nobody' }))).toMatchObject({
      code: 'INVALID_ADDRESS',
      removeToken: true,
      retryable: false,
    });
  });
});

describe('Twilio', () => {
  it('asks for status callbacks that name the delivery', async () => {
    const message = to('sms');
    await send(trial.providers(trial.config, 'https://api.example.com').sms, message);
    const [arrived] = await trial.received('?channel=sms');
    expect(arrived?.body).toEqual({
      From: trial.config.twilio?.from,
      To: message.address,
      Body: message.content.body,
      StatusCallback: `https://api.example.com/api/v1/callbacks/twilio?deliveryId=${message.deliveryId}&notificationId=${message.notificationId}`,
    });
  });

  it('gives a number that is none up for good', async () => {
    expect(await send(trial.providers().sms, to('sms', { address: '0151-nope' }))).toMatchObject({
      code: 'INVALID_ADDRESS',
      removeToken: true,
    });
  });

  it('never lets a text over 1,600 characters reach the wire', async () => {
    const message = to('sms', { content: { body: 'x'.repeat(1601) } });
    expect(await send(trial.providers().sms, message)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(await trial.received()).toEqual([]);
  });
});
