import { generateKeyPairSync } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttp2Client } from '../../src/domains/notifications/providers/http2-client.js';
import { type Answer, createHttpsClient } from '../../src/domains/notifications/providers/https-client.js';
import { neverAborted, type SandboxTrial, silent, someMessage, tryWithSandbox } from './with-sandbox.js';

let trial: SandboxTrial;
let http2: ReturnType<typeof createHttp2Client>;
let https: ReturnType<typeof createHttpsClient>;
beforeAll(async () => {
  trial = await tryWithSandbox();
  http2 = createHttp2Client(trial.sandbox.providerUrl, silent, trial.sandbox.ca);
  https = createHttpsClient(trial.sandbox.providerUrl, trial.sandbox.ca);
});
beforeEach(() => trial.reset());
afterAll(async () => {
  await http2.close();
  https.close();
  await trial.close();
});

const env = (name: string) => trial.sandbox.environment[name] ?? '';

async function post(
  client: Pick<typeof https, 'post'>,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answer & { json: unknown }> {
  const answer = await client.post(path, headers, body, neverAborted());
  if (answer.kind === 'lost') throw new Error(answer.reason);
  return { ...answer, json: answer.body ? JSON.parse(answer.body) : undefined };
}

interface Forgery {
  readonly kid?: string;
  readonly iss?: string;
  readonly age?: number;
  readonly key?: string;
}

describe('the APNs sandbox is as strict as Apple', () => {
  const good = JSON.stringify({ aps: { alert: { body: 'hello' } } });
  const strangerKey = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ format: 'pem', type: 'pkcs8' })
      .toString();

  async function token({ kid, iss, age = 0, key }: Forgery = {}): Promise<string> {
    const signed = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: kid ?? env('APNS_KEY_ID') })
      .setIssuer(iss ?? env('APNS_TEAM_ID'))
      .setIssuedAt(Math.floor(trial.clock.now() / 1000) - age)
      .sign(await importPKCS8(key ?? env('APNS_PRIVATE_KEY'), 'ES256'));
    return `bearer ${signed}`;
  }
  const headers = async (own: Record<string, string> = {}) => ({
    authorization: await token(),
    'apns-topic': env('APNS_TOPIC'),
    'apns-push-type': 'alert',
    ...own,
  });

  it.each<[string, () => Forgery, string]>([
    ['signed by a stranger', () => ({ key: strangerKey() }), 'InvalidProviderToken'],
    ['of another team', () => ({ iss: 'SOMEBODY01' }), 'InvalidProviderToken'],
    ['with another key id', () => ({ kid: 'SOMEKEY001' }), 'InvalidProviderToken'],
    ['older than an hour', () => ({ age: 3601 }), 'ExpiredProviderToken'],
  ])('refuses a token %s', async (_name, forgery, reason) => {
    const answer = await post(
      http2,
      '/3/device/x',
      await headers({ authorization: await token(forgery()) }),
      good,
    );
    expect(answer).toMatchObject({ status: 403, json: { reason } });
    expect(await trial.received()).toEqual([]);
  });

  it.each<[string, Record<string, string>, string, number, string]>([
    ['no token', { authorization: '' }, good, 403, 'MissingProviderToken'],
    ['no topic', { 'apns-topic': '' }, good, 400, 'MissingTopic'],
    ['another app’s topic', { 'apns-topic': 'com.example' }, good, 400, 'DeviceTokenNotForTopic'],
    ['an unknown push type', { 'apns-push-type': 'shout' }, good, 400, 'InvalidPushType'],
    ['an unknown priority', { 'apns-priority': '11' }, good, 400, 'BadPriority'],
    ['a collapse id over 64 bytes', { 'apns-collapse-id': 'x'.repeat(65) }, good, 400, 'BadCollapseId'],
    ['an id that is no UUID', { 'apns-id': 'seven' }, good, 400, 'BadMessageId'],
    ['no body', {}, '', 400, 'PayloadEmpty'],
    ['a body over 4 KB', {}, JSON.stringify({ aps: { alert: 'x'.repeat(4096) } }), 413, 'PayloadTooLarge'],
  ])('refuses %s', async (_name, own, body, status, reason) => {
    expect(await post(http2, '/3/device/x', await headers(own), body)).toMatchObject({
      status,
      json: { reason },
    });
    expect(await trial.received()).toEqual([]);
  });

  it('speaks HTTP/2 only', async () => {
    expect((await post(https, '/3/device/x', await headers(), good)).status).toBe(505);
  });
});

describe('the FCM sandbox is as strict as Google', () => {
  const path = () => `/v1/projects/${env('FCM_PROJECT_ID')}/messages:send`;
  const scope = 'https://www.googleapis.com/auth/firebase.messaging';

  async function login(own: { scope?: string; aud?: string; exp?: number; key?: string } = {}) {
    const now = Math.floor(trial.clock.now() / 1000);
    const assertion = await new SignJWT({ scope: own.scope ?? scope })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(env('FCM_CLIENT_EMAIL'))
      .setAudience(own.aud ?? env('FCM_TOKEN_URL'))
      .setIssuedAt(now)
      .setExpirationTime(now + (own.exp ?? 3600))
      .sign(await importPKCS8(own.key ?? env('FCM_PRIVATE_KEY'), 'RS256'));
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    });
    return post(https, '/token', { 'content-type': 'application/x-www-form-urlencoded' }, form.toString());
  }
  const strangerKey = () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ format: 'pem', type: 'pkcs8' })
      .toString();

  it.each<[string, () => Parameters<typeof login>[0], string]>([
    ['signed by a stranger', () => ({ key: strangerKey() }), 'invalid_grant'],
    ['for another audience', () => ({ aud: 'https://oauth2.example/token' }), 'invalid_grant'],
    ['that has ended', () => ({ exp: -60 }), 'invalid_grant'],
    ['that lasts over an hour', () => ({ exp: 7200 }), 'invalid_grant'],
    ['for another scope', () => ({ scope: 'email' }), 'invalid_scope'],
  ])('gives no access for an assertion %s', async (_name, own, error) => {
    expect(await login(own())).toMatchObject({ status: 400, json: { error } });
  });

  it('refuses a bearer token that it did not give', async () => {
    const answer = await post(
      https,
      path(),
      { authorization: 'Bearer ya29.forged' },
      '{"message":{"token":"x"}}',
    );
    expect(answer).toMatchObject({ status: 401, json: { error: { status: 'UNAUTHENTICATED' } } });
  });

  it.each([
    ['no message', '{}'],
    ['no device', '{"message":{"notification":{"body":"b"}}}'],
    ['a field that does not exist', '{"message":{"token":"x","notify":{}}}'],
    ['data that is no text', '{"message":{"token":"x","data":{"n":1}}}'],
    ['a ttl that is no duration', '{"message":{"token":"x","android":{"ttl":"soon"}}}'],
    ['no JSON', 'token=x'],
  ])('refuses a body with %s', async (_name, body) => {
    const { json } = await login();
    const authorization = `Bearer ${(json as { access_token: string }).access_token}`;
    const answer = await post(https, path(), { authorization }, body);
    expect(answer).toMatchObject({ status: 400, json: { error: { status: 'INVALID_ARGUMENT' } } });
    expect(await trial.received()).toEqual([]);
  });
});

describe('the SendGrid and Twilio sandboxes are as strict as the real ones', () => {
  it('refuses a wrong API key, a foreign sender, a wrong template and a missing field', async () => {
    const { sendgrid } = trial.config;
    if (!sendgrid) throw new Error('not configured');
    const outcome = (own: object) =>
      trial
        .providers({ ...trial.config, sendgrid: { ...sendgrid, ...own } })
        .email.send(someMessage({ address: 'a@example.com' }), neverAborted());
    expect(await outcome({ apiKey: 'SG.no' })).toMatchObject({ status: 401 });
    expect(await outcome({ from: 'else@example.com' })).toMatchObject({ status: 403 });
    expect(await outcome({ templateId: 'd-no' })).toMatchObject({ status: 400 });
    const headers = { authorization: `Bearer ${sendgrid.apiKey}`, 'content-type': 'application/json' };
    expect(await post(https, '/v3/mail/send', headers, '{}')).toMatchObject({
      status: 400,
      json: { errors: expect.arrayContaining([expect.objectContaining({ field: 'from' })]) },
    });
    expect(await trial.received()).toEqual([]);
  });

  it('refuses a wrong account token, a foreign sender, and Twilio’s own numbers for trying failures', async () => {
    const { twilio } = trial.config;
    if (!twilio) throw new Error('not configured');
    const outcome = (own: object, address = '+15551234567') =>
      trial
        .providers({ ...trial.config, twilio: { ...twilio, ...own } })
        .sms.send(someMessage({ address }), neverAborted());
    expect(await outcome({ authToken: 'no' })).toMatchObject({ status: 401, code: 'CREDENTIALS_REFUSED' });
    expect(await outcome({ from: '+15550000000' })).toMatchObject({
      reason: expect.stringMatching(/^21606/),
    });
    expect(await outcome({}, '+15005550004')).toMatchObject({ reason: expect.stringMatching(/^21610/) });
    expect(await trial.received()).toEqual([]);
  });
});
