import { describe, expect, it, vi } from 'vitest';
import {
  type Charged,
  type CounterUse,
  counterOf,
  StoreUnreachable,
} from '../../src/domains/limits/counters/store.js';
import { createFieldLimiter } from '../../src/domains/limits/field-limiter.js';

const admitted: Charged = { admitted: true, readings: [], violated: -1, receipt: [] };
const refusedFor = (retryAfterMs: number): Charged => ({
  admitted: false,
  readings: [{ used: 3, remaining: 0, resetAt: 0, retryAfterMs }],
  violated: 0,
  receipt: [],
});

function open(answer: () => Promise<Charged>) {
  const charge = vi.fn((_uses: readonly CounterUse[]) => answer());
  const failOpen = { count: vi.fn() };
  const onError = vi.fn();
  const charged = (): CounterUse[] => charge.mock.calls.flatMap(([uses]) => uses);
  return {
    limiter: createFieldLimiter({ store: { charge }, failOpen, onError }),
    charged,
    failOpen,
    onError,
  };
}

const use = { field: 'Query.events', owner: 'u:alice', limit: 600, windowSeconds: 60, charge: 1 };

describe('the limit of a field', () => {
  it('admits what the counters admit', async () => {
    const { limiter, charged } = open(async () => admitted);
    expect(await limiter.consume(use)).toBeNull();
    const [charge] = charged();
    expect(charge).toMatchObject({
      owner: 'u:alice',
      charge: 1,
      tier: {
        rule: 'field=Query.events',
        level: 'endpoint',
        scope: 'caller',
        algorithm: 'fixed_window',
        windowSeconds: 60,
        limit: 600,
        perWindow: 600,
        action: 'reject',
        fail: 'open',
        shadow: false,
        softLimit: null,
      },
    });
    expect(charge!.key).toMatch(/^tidings:limit:\{u:alice\}:tiers:[0-9a-f]{16}$/);
    expect(charge!.tier.counterId).toMatch(/^[0-9a-f]{16}$/);
  });

  it('says how long to wait where the counters refuse, never 0', async () => {
    expect(await open(async () => refusedFor(4_200)).limiter.consume(use)).toBe(4_200);
    expect(await open(async () => refusedFor(0)).limiter.consume(use)).toBe(1);
  });

  const away = new StoreUnreachable('timeout');
  const scriptError = new StoreUnreachable('command');
  const unforeseen = new TypeError('not a number');
  it.each([
    ['cannot be reached', away, []],
    ['answer with an error, which is reported', scriptError, [[scriptError]]],
    ['fail in a way that nobody foresaw, which is reported', unforeseen, [[unforeseen]]],
  ])('admits and counts it as a fail-open event while counters %s', async (_, error, reported) => {
    const { limiter, failOpen, onError } = open(() => Promise.reject(error));
    expect(await limiter.consume(use)).toBeNull();
    expect(failOpen.count.mock.calls).toEqual([[error]]);
    expect(onError.mock.calls).toEqual(reported);
  });

  it('counts each field, window and caller by itself, and goes on counting when only the limit changes', async () => {
    const { limiter, charged } = open(async () => admitted);
    await limiter.consume(use);
    await limiter.consume({ ...use, charge: 7 });
    await limiter.consume({ ...use, limit: 5 });
    await limiter.consume({ ...use, field: 'Query.account' });
    await limiter.consume({ ...use, windowSeconds: 3_600 });
    await limiter.consume({ ...use, owner: 'n:192.0.2.1' });
    const [first, again, smaller, ...others] = charged();
    expect(again).toMatchObject({ key: first!.key, charge: 7 });
    // Made once: stores know tiers by identity.
    expect(again!.tier).toBe(first!.tier);
    expect(smaller).toMatchObject({ key: first!.key, tier: { limit: 5 } });
    expect(new Set([first, ...others].map((charge) => counterOf(charge!))).size).toBe(4);
  });
});
