import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery, Target } from '../../src/domains/notifications/delivery/claimed.js';
import {
  backoffSeconds,
  type Call,
  decideOutcome,
} from '../../src/domains/notifications/delivery/outcome.js';
import type { ProviderOutcome } from '../../src/domains/notifications/providers/provider.js';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const targets: readonly Target[] = ['a', 'b', 'c'].map((id) => ({ id, kind: 'ios', address: `token-${id}` }));
const delivery = (own: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  deliveryId: 'd',
  requestId: 'r',
  notificationId: 'n',
  userId: 'u',
  notificationType: 'NEW_MESSAGE',
  channel: 'push',
  priority: 'medium',
  attempt: 0,
  maxRetries: 5,
  content: { body: 'hello' },
  createdAt: new Date(NOW),
  expiresAt: null,
  leaseToken: 'lease',
  takenOver: false,
  isCancelled: false,
  queuedAt: new Date(NOW),
  producer: 'shop',
  reachedSome: false,
  targets,
  ...own,
});
const failure = { kind: 'failed', reason: 'because', removeToken: false, outcomeUnknown: false } as const;
const down: ProviderOutcome = { ...failure, code: 'PROVIDER_DOWN', retryable: true };
const gone: ProviderOutcome = { ...failure, code: 'TOKEN_EXPIRED', retryable: false, removeToken: true };
const early: ProviderOutcome = { ...failure, code: 'RATE_LIMITED', retryable: true, retryAfter: 7 };
const reached: ProviderOutcome = { kind: 'delivered' };
const calls = (...outcomes: ProviderOutcome[]): Call[] =>
  outcomes.map((outcome, index) => ({ target: targets[index]!, startedAt: new Date(NOW), outcome }));

describe('backoff', () => {
  it('is at most 1, 5, 25, 125, 300 seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => backoffSeconds(attempt, 1))).toEqual([
      1, 5, 25, 125, 300, 300, 300,
    ]);
  });
  it('spreads over the whole range', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
        const delay = backoffSeconds(attempt, random);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(Math.min(5 ** attempt, 300));
        expect(delay).toBeCloseTo(random * backoffSeconds(attempt, 1));
      }),
    );
  });
});

describe('a provider that asks to wait', () => {
  const waited = (queuedAt: Date) =>
    decideOutcome(
      delivery({ createdAt: new Date(NOW - 300 * 86_400_000), queuedAt }),
      calls(early),
      NOW,
      0.5,
    );

  it('costs no attempt, however long ago a schedule was accepted', () => {
    expect(waited(new Date(NOW))).toMatchObject({ attempt: 0, nextRetryAt: new Date(NOW + 7_000) });
  });
  it('counts as one that fails after a day', () => {
    expect(waited(new Date(NOW - 86_400_001))).toMatchObject({ attempt: 1 });
  });
});

describe('a delivery', () => {
  it('is retried only for the targets that may still be reached', () => {
    const decided = decideOutcome(delivery(), calls(reached, down, gone), NOW, 0.5);
    expect(decided).toMatchObject({ status: 'RETRYING', attempt: 1, nextRetryAt: new Date(NOW + 500) });
    expect(decided.targets.map(({ target }) => target)).toEqual(['a', 'c']);
    expect(decided.deadDevices.map(({ deviceId }) => deviceId)).toEqual(['c']);
  });

  it('is delivered when one was reached and the rest is beyond hope', () => {
    const decided = decideOutcome(delivery({ attempt: 5 }), calls(reached, down), NOW, 0);
    expect(decided).toMatchObject({ status: 'DELIVERED', failure: null });
    expect(decideOutcome(delivery({ reachedSome: true }), calls(gone), NOW, 0).status).toBe('DELIVERED');
  });

  it('waits as long as it is asked to, and keeps its attempts', () => {
    const decided = decideOutcome(delivery({ attempt: 5 }), calls(early, reached), NOW, 0);
    expect(decided).toMatchObject({ status: 'RETRYING', attempt: 5, nextRetryAt: new Date(NOW + 7000) });
  });

  it('keeps what a provider says only as far as it can be stored', () => {
    const odd: ProviderOutcome = {
      ...failure,
      code: 'REJECTED',
      reason: `a\0b\ud800${'x'.repeat(1000)}`,
      retryable: false,
    };
    const { lastError } = decideOutcome(delivery(), calls(odd), NOW, 0);
    expect(lastError).toMatch(/^REJECTED: ab\ufffdx+$/);
    expect(lastError!.length).toBeLessThanOrEqual(500);
  });

  it('dies after its last retry, after a failure for good, and without any address', () => {
    expect(decideOutcome(delivery({ attempt: 5 }), calls(down), NOW, 0)).toMatchObject({
      status: 'DEAD',
      failure: { attempts: 6 },
    });
    expect(decideOutcome(delivery(), calls(gone), NOW, 0)).toMatchObject({
      status: 'DEAD',
      failure: { attempts: 1 },
    });
    expect(decideOutcome(delivery(), [], NOW, 0).lastError).toMatch(/^NO_ADDRESS/);
  });

  it('always ends, is retried later, or has been reached: whatever its providers say', () => {
    const outcome = fc.constantFrom(reached, down, gone, early);
    const some = fc.array(outcome, { maxLength: 3 });
    fc.assert(
      fc.property(some, fc.nat(5), fc.boolean(), (outcomes, attempt, reachedSome) => {
        const decided = decideOutcome(delivery({ attempt, reachedSome }), calls(...outcomes), NOW, 0.3);
        const wasReached = reachedSome || outcomes.includes(reached);
        if (decided.status === 'RETRYING') {
          expect(decided.nextRetryAt!.getTime()).toBeGreaterThan(NOW);
          expect(decided.targets.length).toBeLessThan(outcomes.length);
        } else {
          expect(decided.status).toBe(wasReached ? 'DELIVERED' : 'DEAD');
          expect(decided.targets).toHaveLength(outcomes.length);
        }
        expect(decided.failure !== null).toBe(decided.status === 'DEAD');
        expect(decided.attempt).toBeLessThanOrEqual(5);
      }),
    );
  });
});
