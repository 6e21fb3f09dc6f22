import { createECDH } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ece from 'http_ece';
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { createHttpsClient } from '../../src/domains/notifications/providers/https-client.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { neverAborted, type SandboxTrial, silent, someMessage, tryWithSandbox } from './with-sandbox.js';

interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

let trial: SandboxTrial;
let https: ReturnType<typeof createHttpsClient>;
let subscription: Subscription;
beforeAll(async () => {
  trial = await tryWithSandbox();
  https = createHttpsClient(trial.sandbox.providerUrl, trial.sandbox.ca);
  subscription = JSON.parse(await trial.subscribe());
});
beforeEach(() => trial.reset());
afterAll(async () => {
  https.close();
  await trial.close();
});

const env = (name: string) => trial.sandbox.environment[name] ?? '';

interface Forgery {
  readonly keys?: { readonly publicKey: string; readonly privateKey: string };
  readonly shownKey?: string;
  readonly aud?: string;
  readonly sub?: string;
  /** Seconds from now. */
  readonly exp?: number;
}

async function vapid(forgery: Forgery = {}): Promise<string> {
  const own = { publicKey: env('VAPID_PUBLIC_KEY'), privateKey: env('VAPID_PRIVATE_KEY') };
  const { publicKey, privateKey } = forgery.keys ?? own;
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: privateKey,
  };
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(forgery.aud ?? trial.sandbox.providerUrl)
    .setSubject(forgery.sub ?? 'mailto:push@tidings.example')
    .setExpirationTime(Math.floor(trial.clock.now() / 1000) + (forgery.exp ?? 3600))
    .sign(await importJWK(jwk, 'ES256'));
  return `vapid t=${token}, k=${forgery.shownKey ?? publicKey}`;
}

/** As another server would encrypt it. */
function encrypt(text: string, { p256dh, auth } = subscription.keys): Buffer {
  const sender = createECDH('prime256v1');
  sender.generateKeys();
  return ece.encrypt(Buffer.from(text), {
    version: 'aes128gcm',
    privateKey: sender,
    dh: p256dh,
    authSecret: auth,
  });
}

async function push(own: Record<string, string> = {}, body = encrypt('hello'), at = subscription.endpoint) {
  const headers = { ttl: '60', 'content-encoding': 'aes128gcm', authorization: await vapid(), ...own };
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  const answer = await https.post(new URL(at).pathname, sent, body, neverAborted());
  if (answer.kind === 'lost') throw new Error(answer.reason);
  return answer;
}

describe('a sandbox browser', () => {
  it('shows in plain text what another implementation encrypted for it', async () => {
    const answer = await push({ urgency: 'low', topic: 'abc_-9' });
    expect(answer).toMatchObject({ status: 201, headers: { location: expect.stringMatching(/^https:/) } });
    const [arrived] = await trial.received(`?channel=push&to=${encodeURIComponent(subscription.endpoint)}`);
    expect(arrived).toMatchObject({
      provider: 'web-push',
      to: subscription.endpoint,
      providerId: answer.headers.location,
      body: 'hello',
      headers: { ttl: '60', urgency: 'low', topic: 'abc_-9' },
    });
  });

  it('is woken by a message without content', async () => {
    expect((await push({ 'content-encoding': '' }, Buffer.alloc(0))).status).toBe(201);
    expect(await trial.received()).toMatchObject([{ body: '' }]);
  });

  it('is another one each time, with keys of its own', async () => {
    const other: Subscription = JSON.parse(await trial.subscribe());
    expect(other.endpoint).not.toBe(subscription.endpoint);
    expect(other.keys.p256dh).not.toBe(subscription.keys.p256dh);
    expect((await push({}, encrypt('for another', other.keys))).status).toBe(400);
    expect((await push({}, encrypt('for another', other.keys), other.endpoint)).status).toBe(201);
  });
});

describe('the Web Push sandbox is as strict as the browsers’ push services', () => {
  const stranger = webPush.generateVAPIDKeys();

  it.each<[string, () => Forgery]>([
    ['signed by a stranger', () => ({ keys: stranger })],
    ['signed by a stranger who shows our key', () => ({ keys: stranger, shownKey: env('VAPID_PUBLIC_KEY') })],
    ['for another push service', () => ({ aud: 'https://fcm.googleapis.com' })],
    ['for a path of it', () => ({ aud: subscription.endpoint })],
    ['that has ended', () => ({ exp: -1 })],
    ['that lasts over a day', () => ({ exp: 86_500 })],
    ['of nobody to write to', () => ({ sub: 'tidings' })],
    ['of somebody on this machine', () => ({ sub: 'mailto:me@localhost' })],
    ['of a site on this machine', () => ({ sub: 'https://localhost' })],
  ])('refuses a token %s', async (_name, forgery) => {
    const answer = await push({ authorization: await vapid(forgery()) });
    expect(answer.status).toBe(403);
    expect(await trial.received()).toEqual([]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['no token', { authorization: '' }, 401],
    ['a token of another scheme', { authorization: 'Bearer x' }, 403],
    ['no TTL', { ttl: '' }, 400],
    ['a TTL below zero', { ttl: '-1' }, 400],
    ['a TTL over a month', { ttl: '2592001' }, 400],
    ['a TTL that is none', { ttl: 'soon' }, 400],
    ['an unknown urgency', { urgency: 'now' }, 400],
    ['a topic of 33 characters', { topic: 'x'.repeat(33) }, 400],
    ['a topic with a dot', { topic: 'a.b' }, 400],
    ['no encoding', { 'content-encoding': '' }, 400],
    ['the old encoding', { 'content-encoding': 'aesgcm' }, 400],
  ])('refuses %s', async (_name, own, status) => {
    expect((await push(own)).status).toBe(status);
    expect(await trial.received()).toEqual([]);
  });

  it.each<[string, () => Buffer, number]>([
    ['a body that is not encrypted', () => Buffer.from('{"title":"hello"}'), 400],
    ['a body that was changed', () => changed(encrypt('hello')), 400],
    ['a body that was cut', () => encrypt('hello').subarray(0, -1), 400],
    ['another secret', () => encrypt('hello', { ...subscription.keys, auth: 'A'.repeat(22) }), 400],
    ['a body over 4 KB', () => encrypt('x'.repeat(4000)), 413],
  ])('refuses %s', async (_name, body, status) => {
    expect((await push({}, body())).status).toBe(status);
    expect(await trial.received()).toEqual([]);
  });

  it('knows nobody who did not subscribe', async () => {
    for (const id of ['x', 'A'.repeat(32), '']) {
      const answer = await push({}, encrypt('hello'), `${trial.sandbox.providerUrl}/web-push/${id}`);
      expect(answer.status).toBe(404);
    }
  });
});

const changed = (body: Buffer): Buffer => {
  body[body.length - 1]! ^= 1;
  return body;
};

it('misbehaves on demand, for Web Push alone', async () => {
  const { web, ios } = trial.providers();
  const address = JSON.stringify(subscription);
  const outcomes = [];
  for (const status of [404, 410, 413, 429, 503]) {
    await trial.misbehave({ channel: 'push', provider: 'web-push', status, times: 1 });
    outcomes.push(await web.send(someMessage({ address }), neverAborted()));
  }
  expect(outcomes).toMatchObject([
    { code: 'TOKEN_EXPIRED', removeToken: true },
    { code: 'TOKEN_EXPIRED', removeToken: true },
    { code: 'PAYLOAD_TOO_LARGE' },
    { code: 'RATE_LIMITED', oneAddress: true },
    { code: 'PROVIDER_DOWN', retryable: true },
  ]);
  await trial.misbehave({ channel: 'push', provider: 'web-push', status: 503 });
  expect((await ios.send(someMessage(), neverAborted())).kind).toBe('delivered');
});

describe('over a restart', () => {
  it('browsers stay subscribed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidings-sandbox-'));
    const start = (providerPort = 0) =>
      startSandbox({ controlPort: 0, providerPort, host: '127.0.0.1', dataDir, logger: silent });
    const first = await start();
    const subscribed = await fetch(`${first.controlUrl}/subscriptions`, { method: 'POST' });
    const { endpoint, keys } = (await subscribed.json()) as Subscription;
    await first.close();
    const second = await start(Number(new URL(first.providerUrl).port));
    const client = createHttpsClient(second.providerUrl, second.ca);
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, 'still there', {
      vapidDetails: {
        subject: second.environment.VAPID_SUBJECT ?? '',
        publicKey: second.environment.VAPID_PUBLIC_KEY ?? '',
        privateKey: second.environment.VAPID_PRIVATE_KEY ?? '',
      },
    });
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(await client.post(new URL(endpoint).pathname, sent, body, neverAborted())).toMatchObject({
      status: 201,
    });
    client.close();
    await second.close();
    await rm(dataDir, { recursive: true });
  });

  it('takes another port where its own is taken', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidings-sandbox-'));
    const taken = Number(new URL(trial.sandbox.providerUrl).port);
    const other = await startSandbox({
      controlPort: 0,
      providerPort: taken,
      host: '127.0.0.1',
      dataDir,
      logger: silent,
    });
    expect(other.environment.WEB_PUSH_HOSTS).toBe(new URL(other.providerUrl).host);
    expect(new URL(other.providerUrl).port).not.toBe(String(taken));
    await other.close();
    await rm(dataDir, { recursive: true });
  });

  it('credentials of a version that knew no Web Push are completed, and the others kept', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tidings-sandbox-'));
    const start = () => startSandbox({ controlPort: 0, host: '127.0.0.1', dataDir, logger: silent });
    const first = await start();
    await first.close();
    const path = join(dataDir, 'sandbox', 'credentials.json');
    const { webPush: _, ...older } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(older));
    const second = await start();
    await second.close();
    const third = await start();
    await third.close();
    expect(second.environment.APNS_KEY_ID).toBe(first.environment.APNS_KEY_ID);
    expect(second.environment.VAPID_PUBLIC_KEY).not.toBe(first.environment.VAPID_PUBLIC_KEY);
    expect(third.environment.VAPID_PUBLIC_KEY).toBe(second.environment.VAPID_PUBLIC_KEY);
    await rm(dataDir, { recursive: true });
  });
});
