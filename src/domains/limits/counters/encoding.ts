import { hash } from 'node:crypto';
import type { Tier } from '../../../platform/gate.js';
import { ALGORITHM_PARTS } from './scripts.js';
import type { CounterUse } from './store.js';

/** Records keep lives in four bytes. */
const LONGEST_LIFE_SECONDS = 2 ** 32 - 1;

/** A tier's numbers, as text, without the charge: made once for each tier. */
const headsOf = new WeakMap<Tier, string>();

/** The uses of one check as the scripts read them: see uses.lua. */
export function encodeUses(uses: readonly CounterUse[]): string {
  const keys: string[] = [];
  addKeys(uses, keys);
  const texts = uses.map(({ tier, charge, key }) => `${headOf(tier)}${charge},${keys.indexOf(key) + 1}`);
  return `[${texts.join()}]`;
}

/** The first of the uses of a check that has the key of this one. */
export function firstWithKey(uses: readonly CounterUse[], index: number): number {
  const { key } = uses[index]!;
  let first = 0;
  while (uses[first]!.key !== key) first += 1;
  return first;
}

/** Adds the keys of one check as the scripts take them, each once, to `keys`. */
export function addKeys(uses: readonly CounterUse[], keys: string[]): void {
  for (let i = 0; i < uses.length; i += 1) if (firstWithKey(uses, i) === i) keys.push(uses[i]!.key);
}

/** One tier with what to refund of it: see refund.lua. */
export function encodeRefund(tier: Tier, charge: number): string {
  return `[${headOf(tier)}${charge},1]`;
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
  const { rate, window } = encodedPace(tier);
  const life = Math.min(LONGEST_LIFE_SECONDS, Math.ceil(lifeMsOf(tier) / 1_000));
  return `"${idOf(tier)}",${number},${tier.limit},${rate},${window},${life},${tier.shadow ? 1 : 0},`;
}

/** What names the counter in a record: 16 hexadecimal digits. */
const idOf = ({ counterId }: Tier): string => hash('sha256', counterId).slice(0, 16);

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

/** The rate and window of a tier as the scripts get them; made once for each tier. */
export function encodedPace(tier: Tier): { readonly rate: number; readonly window: number } {
  let pace = pacesOf.get(tier);
  if (pace === undefined) {
    pace = paceOf(tier);
    pacesOf.set(tier, pace);
  }
  return pace;
}
const pacesOf = new WeakMap<Tier, { rate: number; window: number }>();

function paceOf(tier: Tier): { rate: number; window: number } {
  const window = tier.windowSeconds * 1_000_000;
  if (tier.algorithm !== 'token_bucket') return { rate: tier.perWindow, window };
  const { tokens, interval } = refillOf(tier.perWindow, window);
  return { rate: tokens, window: interval };
}

/** How long an idle counter lives, in milliseconds: from the beginning of a window, else from the last charge. */
function lifeMsOf(tier: Tier): number {
  const windowMs = tier.windowSeconds * 1_000;
  switch (tier.algorithm) {
    case 'fixed_window':
    case 'sliding_window_log':
      return windowMs + 1_000;
    case 'sliding_window_counter':
      return 2 * windowMs;
    case 'token_bucket': {
      const { rate, window } = encodedPace(tier);
      return Math.ceil((tier.limit / rate) * (window / 1_000)) + 10_000;
    }
    case 'leaky_bucket':
      return Math.ceil((tier.limit / tier.perWindow) * windowMs) + 10_000;
  }
}
