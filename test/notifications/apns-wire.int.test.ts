import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Http2Server, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApns } from '../../src/domains/notifications/providers/apns/adapter.js';
import type { Provider } from '../../src/domains/notifications/providers/provider.js';
import { HeldClock, neverAborted, silent, someMessage } from './with-sandbox.js';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const clock = new HeldClock();
const calls: { headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
let reason = '';
let timestamp: unknown;
let server: Http2Server;
let provider: Provider;

beforeAll(async () => {
  server = createServer();
  server.on('stream', async (stream, headers) => {
    calls.push({ headers, body: await text(stream) });
    stream.respond({ ':status': status, 'apns-id': 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F' });
    stream.end(reason && JSON.stringify({ reason, timestamp }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const config = {
    url: `http://127.0.0.1:${address.port}`,
    teamId: 'TEAM123456',
    keyId: 'KEY1234567',
    privateKey: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    topic: 'com.example.app',
  };
  provider = createApns(config, { clock, logger: silent });
});
beforeEach(() => {
  calls.length = 0;
  [status, reason, timestamp] = [200, '', undefined];
});
afterAll(async () => {
  await provider.close();
  server.close();
});

const tokenOf = (call = calls.at(-1)) => String(call?.headers.authorization).replace(/^bearer /, '');

describe('a call to APNs', () => {
  it('has the path, headers and body of the notification document', async () => {
    const expiresAt = new Date(clock.now() + 60_000);
    const message = someMessage({
      address: 'a1b2c3',
      priority: 'high',
      expiresAt,
      content: { title: 'T', subject: 'S', body: 'B', imageUrl: 'https://cdn.example/x.png' },
    });
    expect(await provider.send(message, neverAborted())).toEqual({
      kind: 'delivered',
      providerId: 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F',
    });
    expect(calls[0]?.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/3/device/a1b2c3',
      'apns-topic': 'com.example.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String(Math.floor(expiresAt.getTime() / 1000)),
      'apns-collapse-id': message.deliveryId,
      'apns-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      aps: {
        alert: { title: 'T', subtitle: 'S', body: 'B' },
        sound: 'default',
        category: 'ORDER_SHIPPED',
        'mutable-content': 1,
      },
      data: {
        deliveryId: message.deliveryId,
        notificationId: message.notificationId,
        type: 'ORDER_SHIPPED',
        imageUrl: 'https://cdn.example/x.png',
      },
    });
  });

  it('carries a token that Apple can check: ES256, our key and team, made now', async () => {
    await provider.send(someMessage(), neverAborted());
    expect(decodeProtectedHeader(tokenOf())).toEqual({ alg: 'ES256', kid: 'KEY1234567' });
    const publicKey = await importSPKI(
      keys.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      'ES256',
    );
    const { payload } = await jwtVerify(tokenOf(), publicKey, { issuer: 'TEAM123456' });
    expect(payload).toEqual({ iss: 'TEAM123456', iat: Math.floor(clock.now() / 1000) });
  });

  it('keeps its token for 3,000 seconds, and makes another then', async () => {
    await provider.send(someMessage(), neverAborted());
    clock.forward(2999);
    await provider.send(someMessage(), neverAborted());
    clock.forward(1);
    await provider.send(someMessage(), neverAborted());
    const [first, second, third] = calls.map(tokenOf);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('makes another token at once when Apple says that the old one has ended', async () => {
    [status, reason] = [403, 'ExpiredProviderToken'];
    clock.forward(1);
    expect(await provider.send(someMessage(), neverAborted())).toMatchObject({
      code: 'CREDENTIALS_REFUSED',
      retryable: true,
    });
    [status, reason] = [200, ''];
    await provider.send(someMessage(), neverAborted());
    const [first, second] = calls.map(tokenOf);
    expect(second).not.toBe(first);
  });

  it('says since when a token is dead, where Apple does', async () => {
    [status, reason, timestamp] = [410, 'Unregistered', 1_753_000_000_123];
    const gone = { code: 'TOKEN_EXPIRED', removeToken: true };
    expect(await provider.send(someMessage(), neverAborted())).toMatchObject({
      ...gone,
      tokenDeadSince: 1_753_000_000_123,
    });
    for (const odd of [undefined, null, 0, -1, 'yesterday', {}]) {
      timestamp = odd;
      const outcome = await provider.send(someMessage(), neverAborted());
      expect(outcome).toMatchObject({ ...gone, reason: 'Unregistered' });
      expect(outcome).not.toHaveProperty('tokenDeadSince');
    }
  });
});
