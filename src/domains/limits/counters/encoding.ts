import type { Tier } from '../../../platform/gate.js';
import { refillOf } from './refill.js';
import { ALGORITHM_PARTS } from './scripts.js';
import type { CounterUse } from './store.js';

/** Redis takes no later expiry than about this. */
const LONGEST_LIFE_MS = 1e15;

/** A tier's numbers, as text, without the charge: made once for each tier. */
const headsOf = new WeakMap<Tier, string>();

/** The uses of one check as the scripts read them: see uses.lua. */
export function encodeUses(uses: readonly CounterUse[]): string {
  const first = uses[0];
  if (!first) return '[]';
  let text = `[${headOf(first.tier)}${first.charge}`;
  for (let i = 1; i < uses.length; i += 1) {
    const { tier, charge } = uses[i]!;
    text += `,${headOf(tier)}${charge}`;
  }
  return `${text}]`;
}

/** One tier with what to refund of it: see refund.lua. */
export function encodeRefund(tier: Tier, charge: number): string {
  return `[${headOf(tier)}${charge}]`;
}

function headOf(tier: Tier): string {
  let head = headsOf.get(tier);
  if (head === undefined) {
    head = describe(tier);
    headsOf.set(tier, head);
  }
  return head;
}

function describe(tier: Tier): string {
  const { number } = ALGORITHM_PARTS[tier.algorithm];
  const { rate, window } = paceOf(tier);
  const life = Math.min(LONGEST_LIFE_MS, lifeMsOf(tier));
  return `${number},${tier.limit},${rate},${window},${life},${tier.shadow ? 1 : 0},`;
}

function paceOf(tier: Tier): { rate: number; window: number } {
  const window = tier.windowSeconds * 1_000_000;
  if (tier.algorithm !== 'token_bucket') return { rate: tier.perWindow, window };
  const { tokens, interval } = refillOf(tier.perWindow, window);
  return { rate: tokens, window: interval };
}

/** How long an idle key lives, in milliseconds. */
export function lifeMsOf(tier: Tier): number {
  const windowMs = tier.windowSeconds * 1_000;
  switch (tier.algorithm) {
    case 'fixed_window':
    case 'sliding_window_log':
      return windowMs + 1_000;
    case 'sliding_window_counter':
      return 2 * windowMs;
    case 'token_bucket': {
      const { rate, window } = paceOf(tier);
      return Math.ceil((tier.limit / rate) * (window / 1_000)) + 10_000;
    }
    case 'leaky_bucket':
      return Math.ceil((tier.limit / tier.perWindow) * windowMs) + 10_000;
  }
}
