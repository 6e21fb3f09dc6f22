import type { Tier } from '../../../platform/gate.js';
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

/** The true rate of a refill may stay this far below the wanted one. */
const CLOSE_ENOUGH = 0.9998;

/**
 * What a token bucket regains, and how often: the shortest interval of whole microseconds, and its whole tokens, whose rate is
 * never above `perWindow` tokens in `window` microseconds, and at most 0.02 % below. From 5,000 µs a token on every interval
 * is close enough, so the search ends below 10,001 µs, or at once.
 */
export function refillOf(perWindow: number, window: number): { tokens: number; interval: number } {
  for (let interval = Math.ceil(window / perWindow); ; interval += 1) {
    const tokens = Math.floor((interval * perWindow) / window);
    if (tokens * window >= CLOSE_ENOUGH * interval * perWindow) return { tokens, interval };
  }
}

function paceOf(tier: Tier): { rate: number; window: number } {
  const window = tier.windowSeconds * 1_000_000;
  if (tier.algorithm !== 'token_bucket') return { rate: tier.perWindow, window };
  const { tokens, interval } = refillOf(tier.perWindow, window);
  return { rate: tokens, window: interval };
}

/** How long an idle key lives, in milliseconds. */
function lifeMsOf(tier: Tier): number {
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
