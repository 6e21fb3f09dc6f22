import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProviders } from '../../src/domains/notifications/providers/index.js';
import type {
  Provider,
  ProviderFailure,
  ProviderMessage,
} from '../../src/domains/notifications/providers/provider.js';
import {
  addresses,
  type Platform,
  patience,
  type SandboxTrial,
  silent,
  someMessage,
  tryWithSandbox,
} from './with-sandbox.js';

let trial: SandboxTrial;
beforeAll(async () => {
  trial = await tryWithSandbox();
});
beforeEach(() => trial.reset());
afterAll(() => trial.close());

const channels = { ios: 'push', android: 'push', email: 'email', sms: 'sms' } as const;
const platforms = Object.keys(addresses) as Platform[];

const to = (platform: Platform, own: Partial<ProviderMessage> = {}) =>
  someMessage({ address: addresses[platform], ...own });
const send = (provider: Provider, message: ProviderMessage) => provider.send(message, patience());

describe.each(platforms)('every provider keeps its promises: %s', (platform) => {
  it('hands the message over and names it by the provider’s own id', async () => {
    const message = to(platform);
    const outcome = await send(trial.providers()[platform], message);

    const [arrived, ...more] = await trial.received(`?channel=${channels[platform]}`);
    expect(more).toEqual([]);
    expect(arrived).toMatchObject({
      to: message.address,
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
    });
    const kind = channels[platform] === 'push' ? 'delivered' : 'accepted';
    expect(outcome).toEqual({ kind, providerId: arrived?.providerId });
  });

  it('makes its calls one after the other over one connection', async () => {
    const provider = trial.providers()[platform];
    for (let call = 0; call < 20; call += 1) await send(provider, to(platform));

    const arrived = await trial.received();
    expect(arrived).toHaveLength(20);
    expect(new Set(arrived.map((message) => message.connection)).size).toBe(1);
  });

  it('says that a call cut off in the middle may have happened', async () => {
    await trial.misbehave({ channel: channels[platform], drop: true, times: 1 });
    const provider = trial.providers()[platform];

    expect(await send(provider, to(platform))).toMatchObject({
      kind: 'failed',
      code: 'PROVIDER_DOWN',
      retryable: true,
      outcomeUnknown: true,
    });
    expect(await trial.received()).toHaveLength(1);
    expect(await send(provider, to(platform))).not.toMatchObject({ kind: 'failed' });
  });

  it('says that a call that was given up may have happened', async () => {
    await trial.misbehave({ channel: channels[platform], hang: true, times: 1 });
    const caller = new AbortController();
    const outcome = trial.providers()[platform].send(to(platform), caller.signal);
    await vi.waitFor(async () => expect(await trial.received()).toHaveLength(1));
    caller.abort();

    expect(await outcome).toMatchObject({ code: 'PROVIDER_TIMEOUT', retryable: true, outcomeUnknown: true });
  });

  it('says that a refused connection certainly did nothing', async () => {
    const url = `https://127.0.0.1:${await closedPort()}`;
    const { apns, fcm, sendgrid, twilio } = trial.config;
    if (!apns || !fcm || !sendgrid || !twilio) throw new Error('not configured');
    const away = trial.providers({
      apns: { ...apns, url },
      fcm: { ...fcm, url },
      sendgrid: { ...sendgrid, url },
      twilio: { ...twilio, url },
    });

    expect(await send(away[platform], to(platform))).toMatchObject({
      code: 'PROVIDER_DOWN',
      retryable: true,
      outcomeUnknown: false,
    });
  });

  it('makes no call at all for a caller that has already given up', async () => {
    const outcome = await trial.providers()[platform].send(to(platform), AbortSignal.abort());
    expect(outcome).toMatchObject({ code: 'PROVIDER_TIMEOUT', outcomeUnknown: false });
    expect(await trial.received()).toEqual([]);
  });

  it('lets a call on its way finish before it closes, and takes none afterwards', async () => {
    await trial.misbehave({ channel: channels[platform], latencyMs: 150 });
    const providers = trial.providers();
    const outcome = send(providers[platform], to(platform));
    await providers.close();

    expect((await outcome).kind).not.toBe('failed');
    expect(await send(providers[platform], to(platform))).toMatchObject({ outcomeUnknown: false });
    expect(await trial.received()).toHaveLength(1);
  });

  it('does not trust a provider whose certificate it cannot check', async () => {
    const { clock, config } = trial;
    const wary = createProviders(config, { clock, callbackBaseUrl: 'http://127.0.0.1:9', logger: silent });
    const outcome = await wary[platform]?.send(to(platform), patience());
    await wary.close();

    expect(outcome).toMatchObject({ kind: 'failed', code: 'PROVIDER_DOWN', outcomeUnknown: false });
    expect(await trial.received()).toEqual([]);
  });
});

type Mapping = [status: number, reason: string | undefined, expected: Partial<ProviderFailure>];
const gone = { code: 'TOKEN_EXPIRED', removeToken: true, retryable: false } as const;
const limited = { code: 'RATE_LIMITED', retryAfter: 5, retryable: true, removeToken: false } as const;
const mappings: Record<Platform, Mapping[]> = {
  ios: [
    [410, 'Unregistered', gone],
    [410, 'ExpiredToken', gone],
    [429, 'TooManyRequests', limited],
    [503, 'SERVICE_DOWN', { code: 'APNS_DOWN', retryable: true }],
    [500, 'InternalServerError', { code: 'APNS_DOWN', retryable: true }],
    [503, 'ServiceUnavailable', { code: 'APNS_DOWN', retryable: true }],
    [503, 'Shutdown', { code: 'APNS_DOWN', retryable: true }],
    [400, 'BadDeviceToken', { code: 'INVALID_ADDRESS', removeToken: true, retryable: false }],
    [400, 'DeviceTokenNotForTopic', { code: 'INVALID_ADDRESS', removeToken: false, retryable: false }],
    [403, 'ExpiredProviderToken', { code: 'CREDENTIALS_REFUSED', retryable: true }],
    [403, 'InvalidProviderToken', { code: 'CREDENTIALS_REFUSED', retryable: false }],
    [400, 'BadPriority', { code: 'REJECTED', reason: 'BadPriority', status: 400, retryable: false }],
    [400, 'constructor', { code: 'REJECTED', reason: 'constructor' }],
  ],
  android: [
    [404, 'UNREGISTERED', gone],
    [429, 'QUOTA_EXCEEDED', limited],
    [503, 'UNAVAILABLE', { code: 'PROVIDER_DOWN', retryable: true }],
    [500, 'INTERNAL', { code: 'PROVIDER_DOWN', retryable: true }],
    [403, 'SENDER_ID_MISMATCH', { code: 'INVALID_ADDRESS', retryable: false }],
    [400, 'INVALID_ARGUMENT', { code: 'REJECTED', retryable: false }],
    [401, 'THIRD_PARTY_AUTH_ERROR', { code: 'CREDENTIALS_REFUSED', retryable: false }],
  ],
  email: [
    [401, undefined, { code: 'CREDENTIALS_REFUSED', retryable: false }],
    [413, undefined, { code: 'PAYLOAD_TOO_LARGE', retryable: false }],
    [429, undefined, limited],
    [500, undefined, { code: 'PROVIDER_DOWN', retryable: true }],
    [400, 'no', { code: 'REJECTED', reason: 'no', retryable: false }],
  ],
  sms: [
    [400, '21211', { code: 'INVALID_ADDRESS', removeToken: true, retryable: false }],
    [400, '21614', { code: 'INVALID_ADDRESS', removeToken: true, retryable: false }],
    [400, '21610', { code: 'REJECTED', removeToken: false, retryable: false }],
    [400, '21611', limited],
    [429, undefined, limited],
    [401, undefined, { code: 'CREDENTIALS_REFUSED', retryable: false }],
    [503, undefined, { code: 'PROVIDER_DOWN', retryable: true }],
  ],
};

describe.each(platforms)('failures are told by typed codes: %s', (platform) => {
  it.each(mappings[platform])('%i %s', async (status, reason, expected) => {
    await trial.misbehave({ channel: channels[platform], status, reason });
    expect(await send(trial.providers()[platform], to(platform))).toMatchObject({
      kind: 'failed',
      status,
      outcomeUnknown: false,
      ...expected,
    });
    expect(await trial.received()).toEqual([]);
  });

  it('stays away as long as the provider asks', async () => {
    await trial.misbehave({ channel: channels[platform], status: 429, retryAfter: 17 });
    expect(await send(trial.providers()[platform], to(platform))).toMatchObject({ retryAfter: 17 });
  });
});

/** A port that was free a moment ago and has no listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
