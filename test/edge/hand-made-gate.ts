import { vi } from 'vitest';
import type {
  Gate,
  RateLimitDecision,
  RateLimitRequest,
  Tier,
  TierReading,
} from '../../src/platform/gate.js';

/** A rule of users that admits 200 a minute, of which 80 are used, but for what is given. */
export function reading(
  tier: Partial<Tier> = {},
  state: Partial<Omit<TierReading, 'tier'>> = {},
): TierReading {
  const limit = tier.limit ?? 200;
  return {
    tier: {
      rule: 'user_id',
      name: 'per_minute',
      level: 'user',
      scope: 'caller',
      counts: 'requests',
      algorithm: 'fixed_window',
      windowSeconds: 60,
      limit,
      perWindow: limit,
      softLimit: null,
      action: 'reject',
      fail: 'open',
      shadow: false,
      cost: 1,
      counterId: '00112233aabbccdd',
      ...tier,
    },
    used: 80,
    remaining: 120,
    resetAt: Date.now() + 30_000,
    ...state,
  };
}

export function decision(changes: Partial<RateLimitDecision> = {}): RateLimitDecision {
  const readings = changes.readings ?? [reading()];
  return {
    outcome: 'ALLOW',
    readings,
    decisive: readings[0] ?? null,
    retryAfterMs: changes.outcome === 'REJECT' ? 5_000 : null,
    impossible: false,
    budget: readings.find(({ tier }) => tier.counts === 'query_cost') ?? null,
    decidedBy: 'store',
    receipt: null,
    ...changes,
  };
}

export const rejected = (...readings: TierReading[]): RateLimitDecision =>
  decision({ outcome: 'REJECT', readings: readings.length > 0 ? readings : [reading({}, { remaining: 0 })] });

/** A gate that decides as a test says, by what it is asked. */
export function handMadeGate(decide: (request: RateLimitRequest) => RateLimitDecision = () => decision()) {
  return {
    decideLocally: vi.fn<Gate['decideLocally']>(() => undefined),
    decide: vi.fn<Gate['decide']>((request) => Promise.resolve(decide(request))),
    refund: vi.fn<Gate['refund']>(),
    settle: vi.fn<Gate['settle']>(),
  };
}
