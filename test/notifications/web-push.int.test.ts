import { importJWK, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import type { ProviderMessage } from '../../src/domains/notifications/providers/provider.js';
import { createWebPush } from '../../src/domains/notifications/providers/web-push/adapter.js';
import { startPushService } from './push-service.js';
import { HeldClock, neverAborted, silent, someMessage } from './with-sandbox.js';

let service: Awaited<ReturnType<typeof startPushService>>;
let clock: HeldClock;
let provider: ReturnType<typeof createWebPush>;
const vapid = webPush.generateVAPIDKeys();
const subject = 'mailto:push@tidings.example';

const providerWith = (own: object = {}) =>
  createWebPush(
    { ...vapid, subject, hosts: [service.host], ...own },
    { clock, logger: silent, ca: service.ca },
  );

beforeAll(async () => {
  service = await startPushService();
});
beforeEach(() => {
  service.pushes.length = 0;
  service.answers({ status: 201 });
  clock = new HeldClock();
  provider = providerWith();
});
afterEach(() => provider.close());
afterAll(() => service.close());

const send = (own: Partial<ProviderMessage> = {}) =>
  provider.send(someMessage({ address: service.subscription(), ...own }), neverAborted());
const last = () => service.pushes.at(-1)!;

describe('a Web Push message', () => {
  it('is what the browser decrypts, and says how to open it', async () => {
    const message = someMessage({
      address: service.subscription(),
      content: {
        title: 'Grüße 👋',
        body: 'On its way',
        imageUrl: 'https://cdn.example/x.png',
        actionUrl: 'https://shop.example/1',
      },
    });
    await provider.send(message, neverAborted());
    expect(last().path).toBe('/push/x?y=1');
    expect(service.read(last())).toEqual({
      notification: {
        title: 'Grüße 👋',
        body: 'On its way',
        image: 'https://cdn.example/x.png',
        tag: message.deliveryId,
      },
      data: {
        deliveryId: message.deliveryId,
        notificationId: message.notificationId,
        type: 'ORDER_SHIPPED',
        actionUrl: 'https://shop.example/1',
      },
    });
  });

  it('is encrypted with another key and salt each time', async () => {
    await send({ deliveryId: 'd', notificationId: 'n' });
    await send({ deliveryId: 'd', notificationId: 'n' });
    const [first, second] = service.pushes;
    expect(service.read(first!)).toEqual(service.read(second!));
    expect(first!.body.subarray(0, 16).equals(second!.body.subarray(0, 16))).toBe(false);
    expect(first!.body.subarray(21, 86).equals(second!.body.subarray(21, 86))).toBe(false);
  });

  it.each([
    ['high', 'high'],
    ['medium', 'normal'],
    ['low', 'low'],
  ] as const)('of %s priority has the urgency %s', async (priority, urgency) => {
    await send({ priority });
    expect(last().headers.urgency).toBe(urgency);
  });

  it.each([
    [90_500, '90'],
    [-1000, '0'],
    [undefined, '86400'],
    [100 * 86_400_000, '2419200'],
  ])('that expires in %s ms is kept for %s s', async (left, ttl) => {
    await send(left === undefined ? {} : { expiresAt: new Date(clock.now() + left) });
    expect(last().headers.ttl).toBe(ttl);
  });

  it('replaces an earlier one of the same delivery, and no other, while the browser is away', async () => {
    await send({ deliveryId: 'one' });
    await send({ deliveryId: 'one' });
    await send({ deliveryId: 'x'.repeat(300) });
    const [first, second, third] = service.pushes.map(({ headers }) => headers.topic);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    // Mozilla takes letters and digits alone.
    for (const topic of [first, third]) expect(topic).toMatch(/^[A-Za-z0-9]{1,32}$/);
  });

  it('is signed for that push service, by our key, for less than a day', async () => {
    await send();
    const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(last().headers.authorization ?? '') ?? [];
    expect(key).toBe(vapid.publicKey);
    const point = Buffer.from(vapid.publicKey, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload, protectedHeader } = await jwtVerify(token ?? '', await importJWK(jwk, 'ES256'), {
      audience: service.origin,
      subject,
      currentDate: new Date(clock.now()),
    });
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload.exp! - clock.now() / 1000).toBeLessThanOrEqual(86_400);
    expect(payload.exp! - clock.now() / 1000).toBeGreaterThan(3600);
  });

  it('is signed once for many, and anew before the signature ends', async () => {
    await send();
    clock.forward(10 * 3600);
    await send();
    clock.forward(3600);
    await send();
    const [first, second, third] = service.pushes.map(({ headers }) => headers.authorization);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('that is over 4 KB when encrypted never reaches the wire', async () => {
    expect(await send({ content: { body: 'ä'.repeat(1900) } })).toMatchObject({ kind: 'delivered' });
    expect(last().body.length).toBeLessThanOrEqual(4096);
    service.pushes.length = 0;
    expect(await send({ content: { body: 'ä'.repeat(2000) } })).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      retryable: false,
      outcomeUnknown: false,
    });
    expect(service.pushes).toEqual([]);
  });
});

describe('the answer of a push service', () => {
  it.each([201, 200, 202])('%i is delivered, named by its Location', async (status) => {
    service.answers({ status, headers: { location: 'https://push.example/m/1' } });
    expect(await send()).toEqual({ kind: 'delivered', providerId: 'https://push.example/m/1' });
    service.answers({ status });
    expect(await send()).toEqual({ kind: 'delivered' });
  });

  it.each([301, 302, 307, 308])('%i is not followed', async (status) => {
    service.answers({ status, headers: { location: `${service.origin}/elsewhere` } });
    expect(await send()).toMatchObject({ kind: 'failed', code: 'REJECTED', status });
    expect(service.pushes.map(({ path }) => path)).toEqual(['/push/x?y=1']);
  });

  it.each([404, 410])('%i forgets the subscription', async (status) => {
    service.answers({ status });
    expect(await send()).toMatchObject({ code: 'TOKEN_EXPIRED', removeToken: true, retryable: false });
  });
});

describe('an address that is no subscription', () => {
  it('is given up for good', async () => {
    expect(await send({ address: '{"endpoint":"https://fcm.googleapis.com/x"}' })).toMatchObject({
      code: 'INVALID_ADDRESS',
      removeToken: true,
      retryable: false,
      outcomeUnknown: false,
    });
  });

  it('is not called where its host is none of ours, and is kept: the setting may be wrong', async () => {
    provider = providerWith({ hosts: [] });
    expect(await send()).toMatchObject({ code: 'INVALID_ADDRESS', removeToken: false });
    expect(service.pushes).toEqual([]);
  });
});

it('says so when its key cannot sign', async () => {
  provider = providerWith({ privateKey: 'AAAA' });
  expect(await send()).toMatchObject({ code: 'CREDENTIALS_REFUSED', outcomeUnknown: false });
  expect(service.pushes).toEqual([]);
});
