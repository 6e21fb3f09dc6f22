import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../src/domains/notifications/delivery/claimed.js';
import { decideOutcome, OUTAGE_MS } from '../../src/domains/notifications/delivery/outcome.js';
import { failed } from '../../src/domains/notifications/providers/failure.js';
import { withPauses } from '../../src/domains/notifications/providers/pausing.js';
import type { ProviderOutcome } from '../../src/domains/notifications/providers/provider.js';
import { HeldClock, neverAborted, someMessage } from './with-sandbox.js';

const delivered: ProviderOutcome = { kind: 'delivered' };
const target = { id: 'phone', kind: 'ios' as const, address: 'token' };
const MINUTE = 60_000;

const faults: Record<string, ProviderOutcome> = {
  '5xx': failed('APNS_DOWN', 'Shutdown', { status: 503, retryable: true }),
  'time-outs': failed('PROVIDER_TIMEOUT', 'no answer', { retryable: true, outcomeUnknown: true }),
  'refused connections': failed('PROVIDER_DOWN', 'ECONNREFUSED', { retryable: true }),
  'cut connections': failed('PROVIDER_DOWN', 'ECONNRESET', { retryable: true, outcomeUnknown: true }),
  'names that do not resolve': failed('PROVIDER_DOWN', 'ENOTFOUND', { retryable: true }),
  'TLS that cannot be trusted': failed('PROVIDER_DOWN', 'CERT_HAS_EXPIRED', { retryable: true }),
  'answers that cannot be read': failed('PROVIDER_DOWN', 'unreadable', { retryable: true }),
};

interface Course {
  /** How calls end, by how long the message has waited (ms). */
  readonly answer: (waitedMs: number) => ProviderOutcome;
  readonly random: () => number;
  /** Somebody else's call goes through whenever so many ms have passed. */
  readonly othersEveryMs?: number;
  readonly wentThroughBefore?: boolean;
  readonly outageMs?: number;
}

/** One high-priority message's whole life, on a provider behind its pauses, in simulated time. */
async function live({ answer, random, othersEveryMs, wentThroughBefore, outageMs = OUTAGE_MS }: Course) {
  const clock = new HeldClock();
  const began = clock.now();
  let next = delivered;
  let calls = 0;
  const told = { name: 'told', send: async () => next, close: async () => undefined };
  const provider = withPauses(told, { clock, random });
  if (wentThroughBefore) await provider.send(someMessage(), neverAborted());
  let delivery: ClaimedDelivery = {
    ...someMessage({ priority: 'high' }),
    ...{ requestId: 'r', channel: 'push', attempt: 0, maxRetries: 3, expiresAt: null, leaseToken: 'lease' },
    ...{ createdAt: new Date(began), queuedAt: new Date(began), producer: 'shop' },
    ...{ takenOver: false, isCancelled: false, reachedSome: false, targets: [target] },
  };
  let othersAt = began;
  for (let steps = 0; steps < 1_000; steps += 1) {
    for (; othersEveryMs && othersAt <= clock.now(); othersAt += othersEveryMs) {
      next = delivered;
      await provider.send(someMessage(), neverAborted());
    }
    next = answer(clock.now() - began);
    const outcome = await provider.send(someMessage(), neverAborted());
    if (outcome.kind !== 'failed' || outcome.code !== 'PROVIDER_PAUSED') calls += 1;
    const call = { target, startedAt: new Date(clock.now()), outcome };
    const step = decideOutcome(delivery, [call], clock.now(), random(), outageMs);
    const waited = clock.now() - began;
    if (step.status !== 'RETRYING') return { status: step.status, waited, calls, failure: step.failure };
    delivery = { ...delivery, attempt: step.attempt };
    expect(step.attempt).toBeLessThanOrEqual(delivery.maxRetries);
    const delay = step.nextRetryAt!.getTime() - clock.now();
    clock.forward(Math.max(delay, 1) / 1000);
  }
  throw new Error('the message neither arrives nor dies');
}

const chance = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
const drawing = (stream: Iterator<number>) => () => stream.next().value as number;

describe('a high-priority message on a quiet channel, whose provider is down', () => {
  it.each(Object.entries(faults))('arrives after a minute and more of %s', async (_name, fault) => {
    const property = fc.asyncProperty(
      chance,
      fc.integer({ min: 1, max: OUTAGE_MS - 1_000 }),
      fc.boolean(),
      async (stream, downMs, wentThroughBefore) => {
        const answer = (waited: number) => (waited < downMs ? fault : delivered);
        const end = await live({ answer, random: drawing(stream), wentThroughBefore });
        expect(end.status).toBe('DELIVERED');
        // And not much later than it could.
        expect(end.waited).toBeLessThan(downMs + 90_000);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it('dies in the end, its attempts counted as ever', async () => {
    const property = fc.asyncProperty(chance, async (stream) => {
      const end = await live({ answer: () => faults['5xx']!, random: drawing(stream) });
      expect(end).toMatchObject({ status: 'DEAD', failure: { attempts: 4 } });
      expect(end.waited).toBeGreaterThanOrEqual(MINUTE);
      // It is no flood either.
      expect(end.calls).toBeLessThan(30);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('is what its provider is paused for: three failures that lie ten seconds apart are enough', async () => {
    const clock = new HeldClock();
    const told = { name: 'told', send: async () => faults['5xx']!, close: async () => undefined };
    const provider = withPauses(told, { clock, random: () => 0 });
    for (const wait of [1, 4]) {
      await provider.send(someMessage(), neverAborted());
      clock.forward(wait);
    }
    expect(provider.pausedUntil()).toBeNull();
    clock.forward(5);
    await provider.send(someMessage(), neverAborted());
    expect(provider.pausedUntil()).toBe(clock.now() + 5_000);
  });
});

describe('a message that is itself the cause', () => {
  it('dies after its attempts while others go through', async () => {
    const property = fc.asyncProperty(chance, async (stream) => {
      const end = await live({
        answer: () => faults['5xx']!,
        random: drawing(stream),
        othersEveryMs: 100,
      });
      expect(end).toMatchObject({ status: 'DEAD', failure: { attempts: 4 } });
      expect(end.waited).toBeLessThanOrEqual(31_000 + 15_000);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it.each([
    ['is refused', failed('REJECTED', 'no', { status: 400 })],
    ['is refused for now', failed('REJECTED', '450', { status: 450, retryable: true })],
  ])('dies after its attempts where it %s', async (_name, refusal) => {
    const end = await live({ answer: () => refusal, random: () => 0.9 });
    expect(end.status).toBe('DEAD');
    expect(end.waited).toBeLessThan(31_000);
  });
});
