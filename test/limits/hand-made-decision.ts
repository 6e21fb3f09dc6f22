import type { RateLimitDecision, Tier } from '../../src/platform/gate.js';

/** A rule of users that admits 10 in fixed windows of a minute, but for what is given. */
export function aTier(given: Partial<Tier> = {}): Tier {
  const limit = given.limit ?? 10;
  return {
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
    ...given,
  };
}

/** Admitted by the counters, and nothing to take back, but for what is given. */
export function aDecision(given: Partial<RateLimitDecision> = {}): RateLimitDecision {
  return {
    outcome: 'ALLOW',
    readings: given.decisive ? [given.decisive] : [],
    decisive: null,
    retryAfterMs: null,
    impossible: false,
    budget: null,
    decidedBy: 'store',
    receipt: null,
    ...given,
  };
}
