import { createECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pushServiceOf } from '../../src/domains/notifications/providers/web-push/adapter.js';
import { readSubscription } from '../../src/domains/notifications/providers/web-push/subscription.js';

const p256dh = createECDH('prime256v1').generateKeys('base64url');
const auth = 'A'.repeat(22);
const fcm = 'https://fcm.googleapis.com/fcm/send/abc:def';

const text = (own: { endpoint?: unknown; p256dh?: unknown; auth?: unknown } = {}) =>
  JSON.stringify({
    endpoint: fcm,
    expirationTime: null,
    ...('endpoint' in own && { endpoint: own.endpoint }),
    keys: {
      p256dh,
      auth,
      ...('p256dh' in own && { p256dh: own.p256dh }),
      ...('auth' in own && { auth: own.auth }),
    },
  });
const refusedWith = (code: string, path: string[]) => ({
  ok: false,
  errors: [{ code, message: expect.any(String), path }],
});

describe('a browser’s subscription', () => {
  it.each([
    fcm,
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAA_-b',
    'https://web.push.apple.com/QGu-x_Y',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2b',
    'https://FCM.googleapis.com:443/fcm/send/x',
  ])('of a known push service is taken: %s', (endpoint) => {
    expect(readSubscription(text({ endpoint }))).toMatchObject({ ok: true });
  });

  it('is brought into one form, however it was written', () => {
    const value = { endpoint: fcm, keys: { p256dh, auth } };
    expect(readSubscription(text())).toEqual({ ok: true, value });
    const padded = { keys: { auth: `${auth}==`, more: 1, p256dh: `${p256dh}=` }, endpoint: fcm, other: [] };
    expect(readSubscription(JSON.stringify(padded, null, 2))).toEqual({ ok: true, value });
    const shouted = 'HTTPS://FCM.GOOGLEAPIS.COM:443/fcm/send/abc:def';
    expect(readSubscription(text({ endpoint: shouted }))).toEqual({ ok: true, value });
  });

  it.each([
    'https://attacker.example/push',
    'https://127.0.0.1/push',
    'https://[::1]:8443/push',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/push',
    'https://fcm.googleapis.com.attacker.example/fcm/send/x',
    'https://attackerfcm.googleapis.com/fcm/send/x',
    'https://attacker-push.apple.com/x',
    'https://push.apple.com/x',
    'https://fcm.googleapis.com:8443/fcm/send/x',
    'https://fcm.googleapis.com./fcm/send/x',
    'https://web.push.apple.com:22/x',
    'https://attacker.example/?.push.apple.com',
    'https://attacker.example#.push.apple.com'.replace('#', '%23'),
  ])('of another host is refused: %s', (endpoint) => {
    const result = readSubscription(text({ endpoint }), ['127.0.0.1:4011']);
    expect(result.ok).toBe(false);
    expect(result).toMatchObject({ errors: [{ path: ['endpoint'] }] });
  });

  it.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'file:///etc/passwd',
    'https://user@fcm.googleapis.com/fcm/send/x',
    'https://user:pass@fcm.googleapis.com/fcm/send/x',
    'https://attacker.example:pass@fcm.googleapis.com/x',
    'https://fcm.googleapis.com/fcm/send/x#part',
    'fcm.googleapis.com/fcm/send/x',
    '',
    7,
    null,
    undefined,
  ])('with an endpoint that is no plain https address is refused: %s', (endpoint) => {
    expect(readSubscription(text({ endpoint }))).toEqual(refusedWith('SUBSCRIPTION_INVALID', ['endpoint']));
  });

  it('of a host that was configured is taken, with that very port', () => {
    const endpoint = 'https://127.0.0.1:4011/web-push/x';
    expect(readSubscription(text({ endpoint }), ['push.example', '127.0.0.1:4011'])).toMatchObject({
      ok: true,
    });
    expect(readSubscription(text({ endpoint }))).toEqual(refusedWith('PUSH_SERVICE_UNKNOWN', ['endpoint']));
    expect(readSubscription(text({ endpoint }), ['127.0.0.1'])).toEqual(
      refusedWith('PUSH_SERVICE_UNKNOWN', ['endpoint']),
    );
  });

  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  it.each([
    ['a short key', { p256dh: p256dh.slice(0, -2) }, 'p256dh'],
    ['a key that is no point', { p256dh: offCurve }, 'p256dh'],
    ['a key with blanks', { p256dh: ` ${p256dh}` }, 'p256dh'],
    ['no key', { p256dh: undefined }, 'p256dh'],
    ['a number for a key', { p256dh: 4 }, 'p256dh'],
    ['a secret of 15 bytes', { auth: 'A'.repeat(20) }, 'auth'],
    ['a secret of 17 bytes', { auth: 'A'.repeat(23) }, 'auth'],
    ['a secret of another alphabet', { auth: `${'A'.repeat(21)}+` }, 'auth'],
    ['no secret', { auth: undefined }, 'auth'],
  ])('with %s is refused', (_name, own, member) => {
    expect(readSubscription(text(own))).toEqual(refusedWith('SUBSCRIPTION_INVALID', ['keys', member]));
  });

  it.each(['', 'token', '[]', 'null', '"x"', '{"endpoint":'])('that is no object is refused: %s', (wrong) => {
    expect(readSubscription(wrong)).toMatchObject({ ok: false, errors: [{ code: 'SUBSCRIPTION_INVALID' }] });
  });
});

describe('the push service behind an address', () => {
  it('is its origin, and nobody’s for what is no subscription', () => {
    expect(pushServiceOf(text())).toBe('https://fcm.googleapis.com');
    expect(pushServiceOf(text({ endpoint: 'https://Web.Push.Apple.com:443/x' }))).toBe(
      'https://web.push.apple.com',
    );
    for (const wrong of ['', '{}', 'token', '{"endpoint":7}', '{"endpoint":"x"}']) {
      expect(pushServiceOf(wrong)).toBe('');
    }
  });
});
