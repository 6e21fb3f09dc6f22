import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createCallMetrics } from '../../src/domains/notifications/providers/call-metrics.js';
import { failed, rateLimited } from '../../src/domains/notifications/providers/failure.js';
import { type PauseOptions, withPauses } from '../../src/domains/notifications/providers/pausing.js';
import type { Provider, ProviderOutcome } from '../../src/domains/notifications/providers/provider.js';
import { HeldClock, neverAborted, someMessage } from './with-sandbox.js';

const delivered: ProviderOutcome = { kind: 'delivered' };
const down = failed('PROVIDER_DOWN', 'HTTP 503', { status: 503, retryable: true });
const timeout = failed('PROVIDER_TIMEOUT', 'no answer', { retryable: true, outcomeUnknown: true });
const tooLong = failed('PAYLOAD_TOO_LARGE', 'found out before it was sent');
const expired = failed('TOKEN_EXPIRED', 'gone', { status: 410, removeToken: true });

/** A provider with given answers, behind its pauses. */
function trial(options: Partial<PauseOptions> = {}) {
  const clock = new HeldClock();
  let answer: ProviderOutcome | Promise<ProviderOutcome> = delivered;
  let calls = 0;
  const fake: Provider = {
    name: 'fake',
    send: async () => {
      calls += 1;
      return answer;
    },
    close: async () => {},
  };
  const provider = withPauses(fake, { clock, random: () => 0, ...options });
  return {
    clock,
    fake,
    provider,
    calls: () => calls,
    answers(next: ProviderOutcome | Promise<ProviderOutcome>) {
      answer = next;
    },
    send: (address = 'device', signal = neverAborted()) => provider.send(someMessage({ address }), signal),
    async sendTimes(times: number, next: ProviderOutcome) {
      answer = next;
      for (let call = 0; call < times; call += 1) await provider.send(someMessage(), neverAborted());
    },
  };
}

const paused = (retryAfter: number) => ({
  kind: 'failed',
  code: 'PROVIDER_PAUSED',
  retryable: true,
  removeToken: false,
  outcomeUnknown: false,
  retryAfter,
});

describe('a provider that asks for a pause', () => {
  it('is not called until its time is over, and each caller gets how long that is', async () => {
    const { clock, provider, calls, answers, send } = trial();
    answers(rateLimited('slow down', 429, 30));
    expect(await send()).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 30 });
    answers(delivered);
    expect(provider.pausedUntil()).toBe(clock.now() + 30_000);
    clock.forward(29.5);
    expect(await send()).toMatchObject(paused(1));
    expect(calls()).toBe(1);
    clock.forward(0.5);
    expect(provider.pausedUntil()).toBeNull();
    expect(await send()).toEqual(delivered);
  });

  it('keeps the longest pause of several calls that were on their way together', async () => {
    const { clock, provider, answers, send } = trial();
    const slow = Promise.withResolvers<ProviderOutcome>();
    answers(slow.promise);
    const first = send();
    answers(rateLimited('slow down', 429, 60));
    await send();
    slow.resolve(rateLimited('slow down', 429, 5));
    await first;
    expect(provider.pausedUntil()).toBe(clock.now() + 60_000);
  });

  it('is asked again after an hour at most', async () => {
    const { clock, provider, sendTimes } = trial();
    await sendTimes(1, rateLimited('come back next year', 429, 31_536_000));
    expect(provider.pausedUntil()).toBe(clock.now() + 3_600_000);
  });

  it('goes on for others when one address alone had too much', async () => {
    const { provider, sendTimes, answers, send } = trial();
    await sendTimes(1, { ...rateLimited('too many for this device', 429, 5), oneAddress: true });
    expect(provider.pausedUntil()).toBeNull();
    answers(delivered);
    expect(await send()).toEqual(delivered);
  });
});

describe('a provider that is down', () => {
  it.each([
    ['5xx', down],
    ['time-outs', timeout],
    ['APNs down', failed('APNS_DOWN', 'Shutdown', { status: 503, retryable: true })],
    ['lost connections', failed('PROVIDER_DOWN', 'ECONNREFUSED', { retryable: true })],
  ])('is left alone after ten failures in a row: %s', async (_name, failure) => {
    const { provider, sendTimes, send, calls } = trial();
    await sendTimes(9, failure);
    expect(provider.pausedUntil()).toBeNull();
    await sendTimes(1, failure);
    expect(await send()).toMatchObject(paused(5));
    expect(calls()).toBe(10);
  });

  it('is left alone when more than half of twenty calls failed within ten seconds', async () => {
    const { clock, provider, sendTimes } = trial();
    await sendTimes(9, delivered);
    await sendTimes(5, down);
    await sendTimes(1, delivered);
    await sendTimes(5, down);
    // Ten of twenty is half, not more.
    expect(provider.pausedUntil()).toBeNull();
    await sendTimes(1, down);
    expect(provider.pausedUntil()).toBe(clock.now() + 5000);
  });

  it('is judged by the last ten seconds, not by what was before', async () => {
    const { clock, provider, sendTimes } = trial();
    for (let half = 0; half < 8; half += 1) {
      await sendTimes(9, down);
      await sendTimes(1, delivered);
      clock.forward(10);
    }
    expect(provider.pausedUntil()).toBeNull();
  });

  it.each([
    ['dead tokens', expired],
    ['refusals', failed('REJECTED', 'no', { status: 400 })],
    ['wrong addresses', failed('INVALID_ADDRESS', 'no', { status: 400, removeToken: true })],
    ['refused credentials', failed('CREDENTIALS_REFUSED', 'no', { status: 403 })],
    ['mails that are refused for now', failed('REJECTED', '450', { status: 450, retryable: true })],
    ['what we refuse ourselves', tooLong],
  ])('is not what %s show', async (_name, failure) => {
    const { provider, sendTimes, calls } = trial();
    await sendTimes(100, failure);
    expect(provider.pausedUntil()).toBeNull();
    expect(calls()).toBe(100);
  });

  it('does not count as alive because of what never reached it', async () => {
    const { provider, sendTimes } = trial();
    await sendTimes(9, down);
    await sendTimes(3, tooLong);
    await sendTimes(1, down);
    expect(provider.pausedUntil()).not.toBeNull();
  });

  it('gets one probe; the others wait for what becomes of it', async () => {
    const { clock, provider, calls, answers, send, sendTimes } = trial();
    await sendTimes(10, down);
    clock.forward(5);
    const slow = Promise.withResolvers<ProviderOutcome>();
    answers(slow.promise);
    const probe = send();
    expect(await send()).toMatchObject(paused(1));
    expect(provider.pausedUntil()).not.toBeNull();
    expect(calls()).toBe(11);
    slow.resolve(delivered);
    expect(await probe).toEqual(delivered);
    expect(provider.pausedUntil()).toBeNull();
  });

  it('is tried again after 5 s, then after twice as long each time, up to a minute', async () => {
    const { clock, provider, sendTimes } = trial();
    await sendTimes(10, down);
    const waits = [];
    for (let probe = 0; probe < 6; probe += 1) {
      const wait = (provider.pausedUntil() ?? 0) - clock.now();
      waits.push(wait / 1000);
      clock.forward(wait / 1000);
      await sendTimes(1, down);
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('is tried by many processes at different times, none before the time is over', async () => {
    const { clock, provider, sendTimes } = trial({ random: () => 0.8 });
    await sendTimes(10, down);
    expect((provider.pausedUntil() ?? 0) - clock.now()).toBe(6000);
  });

  it('waits shortly again once it was well in between', async () => {
    const { clock, provider, sendTimes } = trial();
    await sendTimes(10, down);
    clock.forward(5);
    await sendTimes(1, down);
    clock.forward(10);
    await sendTimes(1, expired);
    expect(provider.pausedUntil()).toBeNull();
    await sendTimes(10, down);
    expect((provider.pausedUntil() ?? 0) - clock.now()).toBe(5000);
  });

  it('is probed by the next call when the probe never reached it', async () => {
    const { clock, provider, calls, sendTimes, send, answers } = trial();
    await sendTimes(10, down);
    clock.forward(5);
    await sendTimes(2, tooLong);
    expect(calls()).toBe(12);
    answers(down);
    await send();
    expect((provider.pausedUntil() ?? 0) - clock.now()).toBe(10_000);
  });

  it('is not probed by a call whose caller has gone', async () => {
    const { clock, provider, send, answers, sendTimes } = trial();
    await sendTimes(10, down);
    clock.forward(5);
    answers(timeout);
    await send('device', AbortSignal.abort());
    expect(provider.pausedUntil()).toBeNull();
  });
});

describe('a name of several services', () => {
  it('pauses each by itself', async () => {
    const { clock, provider, answers, send } = trial({ serviceOf: (address) => address.split('/')[0] ?? '' });
    answers(down);
    for (let call = 0; call < 10; call += 1) await send('one/a');
    answers(delivered);
    expect(await send('one/b')).toMatchObject(paused(5));
    expect(await send('two/a')).toEqual(delivered);
    expect(provider.pausedUntil('one/c')).toBe(clock.now() + 5000);
    expect(provider.pausedUntil('two/c')).toBeNull();
    expect(provider.pausedUntil()).toBeNull();
    expect(provider.isPausing()).toBe(true);
  });
});

describe('metrics', () => {
  it('count calls by how they ended, time them, and show who pauses', async () => {
    const registry = new Registry();
    const metrics = createCallMetrics(registry);
    const { fake, clock, answers } = trial();
    const provider = withPauses(metrics.counted(fake), { clock });
    metrics.watch(provider);
    const value = async (line: string) =>
      (await registry.metrics())
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')[1];

    await provider.send(someMessage(), neverAborted());
    expect(await value('notification_provider_paused{provider="fake"}')).toBe('0');
    answers(rateLimited('slow down', 429, 9));
    await provider.send(someMessage(), neverAborted());
    await provider.send(someMessage(), neverAborted());

    expect(await value('notification_provider_paused{provider="fake"}')).toBe('1');
    expect(await value('notification_provider_calls_total{provider="fake",outcome="delivered"}')).toBe('1');
    expect(await value('notification_provider_calls_total{provider="fake",outcome="RATE_LIMITED"}')).toBe(
      '1',
    );
    // The third was refused by the pause: it is no call.
    expect(await value('notification_provider_call_seconds_count{provider="fake"}')).toBe('2');
    clock.forward(9);
    expect(await value('notification_provider_paused{provider="fake"}')).toBe('0');
  });
});
