import { Gauge, type Registry } from 'prom-client';
import type { RateLimitDecision } from '../../platform/gate.js';
import { isOwnLimit, utilisationOf } from './near-limits-sketch.js';

/** What was seen is shown for this long, and at most twice as long. */
const SHOWN_MS = 30_000;

/**
 * Shows the highest utilisation that callers of each plan reached lately, of limits that are their own.
 *
 * @param monotonic milliseconds
 * @returns what takes note of a decision
 */
export function createUtilisation(registry: Registry, monotonic: () => number) {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let turnsAt = monotonic() + SHOWN_MS;

  function turn(): void {
    const now = monotonic();
    if (now < turnsAt) return;
    previous = now < turnsAt + SHOWN_MS ? current : new Map();
    current = new Map();
    turnsAt = now + SHOWN_MS;
  }

  new Gauge({
    name: 'rate_limiter_utilisation_ratio',
    help: 'The highest share of a limit of their own that callers of a plan used in the last 30 to 60 seconds; limits of endpoints, and below 10, are left out',
    labelNames: ['user_tier'],
    registers: [registry],
    collect() {
      turn();
      this.reset();
      for (const user_tier of new Set([...previous.keys(), ...current.keys()])) {
        this.set({ user_tier }, Math.max(previous.get(user_tier) ?? 0, current.get(user_tier) ?? 0));
      }
    },
  });
  return (plan: string, { readings }: RateLimitDecision): void => {
    let highest = -1;
    for (const reading of readings)
      if (isOwnLimit(reading.tier)) highest = Math.max(highest, utilisationOf(reading));
    if (highest < 0) return;
    turn();
    if (highest > (current.get(plan) ?? -1)) current.set(plan, highest);
  };
}
