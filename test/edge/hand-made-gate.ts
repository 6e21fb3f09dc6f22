import { vi } from 'vitest';
import type { Gate, GateReading, GateRequest, Verdict } from '../../src/edge/gate/gate.js';

export function reading(
  tier: Partial<GateReading['tier']> = {},
  standing: Partial<Omit<GateReading, 'tier'>> = {},
): GateReading {
  const full = {
    rule: 'user_id',
    name: 'per_minute',
    level: 'user' as const,
    counts: 'requests' as const,
    shadow: false,
    limit: 200,
    windowSeconds: 60,
    ...tier,
  };
  return {
    tier: { perWindow: full.limit, ...full },
    remaining: 120,
    resetAt: Date.now() + 30_000,
    ...standing,
  };
}

export function verdict(changes: Partial<Verdict> = {}): Verdict {
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

export const rejected = (...readings: GateReading[]): Verdict =>
  verdict({ outcome: 'REJECT', readings: readings.length > 0 ? readings : [reading({}, { remaining: 0 })] });

/** A gate that decides as a test says, by what it is asked. */
export function handMadeGate(decide: (request: GateRequest) => Verdict = () => verdict()) {
  return {
    foresee: vi.fn<Gate['foresee']>(() => undefined),
    decide: vi.fn<Gate['decide']>((request) => Promise.resolve(decide(request))),
    refusedAlike: vi.fn<Gate['refusedAlike']>(),
    refund: vi.fn<Gate['refund']>(),
    settle: vi.fn<Gate['settle']>(),
  };
}
