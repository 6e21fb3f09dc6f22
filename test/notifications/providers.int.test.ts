import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProviders, loadAdapters } from '../../src/domains/notifications/providers/index.js';
import type {
  Provider,
  ProviderMessage,
  ProviderOutcome,
} from '../../src/domains/notifications/providers/provider.js';
import {
  addressOf,
  neverAborted,
  type Platform,
  platforms,
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

const channels = { ios: 'push', android: 'push', web: 'push', email: 'email', sms: 'sms' } as const;

const to = async (platform: Platform) => someMessage({ address: await addressOf(platform, trial) });
const send = (provider: Provider, message: ProviderMessage) => provider.send(message, neverAborted());

describe.each(platforms)('every provider keeps its promises: %s', (platform) => {
  it('hands the message over and names it by the provider’s own id', async () => {
    const message = await to(platform);
    const outcome = await send(trial.providers()[platform], message);

    const [arrived, ...more] = await trial.received(`?channel=${channels[platform]}`);
    expect(more).toEqual([]);
    expect(arrived).toMatchObject({
      to: platform === 'web' ? JSON.parse(message.address).endpoint : message.address,
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
    });
    const kind = channels[platform] === 'push' ? 'delivered' : 'accepted';
    expect(outcome).toEqual({ kind, providerId: arrived?.providerId });
  });

  it('makes its calls one after the other over one connection', async () => {
    const provider = trial.providers()[platform];
    for (let call = 0; call < 20; call += 1) await send(provider, await to(platform));

    const arrived = await trial.received();
    expect(arrived).toHaveLength(20);
    expect(new Set(arrived.map((message) => message.connection)).size).toBe(1);
  });

  it('says that a call cut off in the middle may have happened', async () => {
    await trial.misbehave({ channel: channels[platform], drop: true, times: 1 });
    const provider = trial.providers()[platform];

    expect(await send(provider, await to(platform))).toMatchObject({
      kind: 'failed',
      code: 'PROVIDER_DOWN',
      retryable: true,
      outcomeUnknown: true,
    });
    expect(await trial.received()).toHaveLength(1);
    expect(await send(provider, await to(platform))).not.toMatchObject({ kind: 'failed' });
  });

  it('says that a call that was given up may have happened', async () => {
    await trial.misbehave({ channel: channels[platform], hang: true, times: 1 });
    const caller = new AbortController();
    const outcome = trial.providers()[platform].send(await to(platform), caller.signal);
    await vi.waitFor(async () => expect(await trial.received()).toHaveLength(1), 15_000);
    caller.abort();

    expect(await outcome).toMatchObject({ code: 'PROVIDER_TIMEOUT', retryable: true, outcomeUnknown: true });
  });

  it('says that a refused connection certainly did nothing', async () => {
    const url = `https://127.0.0.1:${await closedPort()}`;
    const { apns, fcm, webPush, sendgrid, twilio } = trial.config;
    if (!apns || !fcm || !webPush || !sendgrid || !twilio) throw new Error('not configured');
    const away = trial.providers({
      apns: { ...apns, url },
      fcm: { ...fcm, url },
      webPush: { ...webPush, hosts: [new URL(url).host] },
      sendgrid: { ...sendgrid, url },
      twilio: { ...twilio, url },
    });

    const { address } = await to(platform);
    const message = someMessage({ address: address.replace(trial.sandbox.providerUrl, url) });
    expect(await send(away[platform], message)).toMatchObject({
      code: 'PROVIDER_DOWN',
      retryable: true,
      outcomeUnknown: false,
    });
  });

  it('makes no call at all for a caller that has already given up', async () => {
    const outcome = await trial.providers()[platform].send(await to(platform), AbortSignal.abort());
    expect(outcome).toMatchObject({ code: 'PROVIDER_TIMEOUT', outcomeUnknown: false });
    expect(await trial.received()).toEqual([]);
  });

  it('lets a call on its way finish before it closes, and takes none afterwards', async () => {
    await trial.misbehave({ channel: channels[platform], latencyMs: 150 });
    const providers = trial.providers();
    const outcome = send(providers[platform], await to(platform));
    await providers.close();

    expect((await outcome).kind).not.toBe('failed');
    expect(await send(providers[platform], await to(platform))).toMatchObject({ outcomeUnknown: false });
    expect(await trial.received()).toHaveLength(1);
  });

  it('does not trust a provider whose certificate it cannot check', async () => {
    const { clock, config } = trial;
    const wary = createProviders(config, await loadAdapters(config), {
      clock,
      callbackBaseUrl: 'http://127.0.0.1:9',
      logger: silent,
    });
    const outcome = await wary[platform]?.send(await to(platform), neverAborted());
    await wary.close();

    expect(outcome).toMatchObject({ kind: 'failed', code: 'PROVIDER_DOWN', outcomeUnknown: false });
    expect(await trial.received()).toEqual([]);
  });
});

describe.each(platforms)('a provider that asks for a pause gets it: %s', (platform) => {
  it('as long as the provider asks, and makes no call meanwhile', async () => {
    await trial.misbehave({ channel: channels[platform], status: 429, retryAfter: 17, times: 1 });
    const own = trial.providers()[platform];
    const address = await addressOf(platform, trial);
    const message = () => someMessage({ address });
    expect(own.pausedUntil?.(address)).toBeNull();
    expect(await send(own, message())).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfter: 17 });

    expect(own.pausedUntil?.(address)).toBe(trial.clock.now() + 17_000);
    expect(await send(own, message())).toMatchObject({
      code: 'PROVIDER_PAUSED',
      retryable: true,
      retryAfter: 17,
      outcomeUnknown: false,
    });
    expect(await trial.received()).toEqual([]);
    trial.clock.forward(17);
    expect((await send(own, message())).kind).not.toBe('failed');
    expect(own.pausedUntil?.(address)).toBeNull();
  });

  it('from a service that fails again and again, until a probe says that it is back', async () => {
    await trial.misbehave({ channel: channels[platform], status: 503, times: 10 });
    const own = trial.providers()[platform];
    const address = await addressOf(platform, trial);
    const codes = [];
    for (let call = 0; call < 12; call += 1) codes.push(codeOf(await send(own, someMessage({ address }))));
    const down = platform === 'ios' ? 'APNS_DOWN' : 'PROVIDER_DOWN';
    expect(codes).toEqual([...Array(10).fill(down), 'PROVIDER_PAUSED', 'PROVIDER_PAUSED']);
    expect(await trial.received()).toEqual([]);

    trial.clock.forward(7);
    expect((await send(own, someMessage({ address }))).kind).not.toBe('failed');
    expect((await send(own, someMessage({ address }))).kind).not.toBe('failed');
  });
});

const codeOf = (outcome: ProviderOutcome) => (outcome.kind === 'failed' ? outcome.code : outcome.kind);

/** A port that was free a moment ago and has no listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
