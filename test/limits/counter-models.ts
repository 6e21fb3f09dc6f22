import { refillOf } from '../../src/domains/limits/counters/encoding.js';
import { type CounterReading, type CounterUse, counterOf } from '../../src/domains/limits/counters/store.js';
import type { Algorithm, Tier } from '../../src/platform/gate.js';

/** One counter in memory, as document 3 describes it; times in whole microseconds. */
interface CounterModel {
  /** Units in use, exactly. */
  inUse(now: number, tier: Tier): number;
  /** @param name what is counted: only logs know names */
  fits(now: number, tier: Tier, charge: number, name?: string): boolean;
  resetAt(now: number, tier: Tier, name?: string): number;
  /** Returns what the charge is known by; undefined where its name is counted already. */
  charge(now: number, tier: Tier, charge: number, name?: string): string | undefined;
  refund(now: number, tier: Tier, charge: number, mark: string): void;
}

const windowOf = (tier: Tier): number => tier.windowSeconds * 1_000_000;

/** Windows of the clock's grid; the newest ever seen stays current when the clock goes back. */
abstract class GridModel {
  protected newest = 0;
  protected counts = new Map<number, number>();

  protected current(now: number, tier: Tier): number {
    return Math.max(this.newest, Math.floor(now / windowOf(tier)));
  }
  protected count(number: number): number {
    return this.counts.get(number) ?? 0;
  }
  resetAt(now: number, tier: Tier): number {
    return (this.current(now, tier) + 1) * windowOf(tier);
  }
  charge(now: number, tier: Tier, charge: number): string {
    this.newest = this.current(now, tier);
    this.counts.set(this.newest, this.count(this.newest) + charge);
    return String(this.newest);
  }
  refund(now: number, tier: Tier, charge: number, mark: string): void {
    if (this.current(now, tier) !== Number(mark)) return;
    this.counts.set(Number(mark), Math.max(0, this.count(Number(mark)) - charge));
  }
}

class FixedWindow extends GridModel implements CounterModel {
  inUse(now: number, tier: Tier): number {
    return this.count(this.current(now, tier));
  }
  fits(now: number, tier: Tier, charge: number): boolean {
    return this.inUse(now, tier) + charge <= tier.limit;
  }
}

class SlidingWindowCounter extends GridModel implements CounterModel {
  inUse(now: number, tier: Tier): number {
    const window = windowOf(tier);
    const number = this.current(now, tier);
    const left = window - Math.max(0, now - number * window);
    return (this.count(number - 1) * left + this.count(number) * window) / window;
  }
  fits(now: number, tier: Tier, charge: number): boolean {
    return this.inUse(now, tier) + (charge - 1) < tier.limit;
  }
}

class SlidingWindowLog implements CounterModel {
  private entries: { at: number; mark: string }[] = [];
  private charges = 0;

  private live(now: number, tier: Tier) {
    return this.entries.filter(({ at }) => now - at < windowOf(tier));
  }
  private isIn(now: number, tier: Tier, name: string | undefined): boolean {
    return name !== undefined && this.live(now, tier).some(({ mark }) => mark === name);
  }
  inUse(now: number, tier: Tier): number {
    return this.live(now, tier).length;
  }
  fits(now: number, tier: Tier, charge: number, name?: string): boolean {
    return this.isIn(now, tier, name) || this.inUse(now, tier) + charge <= tier.limit;
  }
  resetAt(now: number, tier: Tier, name?: string): number {
    const times = this.live(now, tier).map(({ at }) => (name === undefined ? at : now));
    return times.length === 0 ? now : Math.min(...times) + windowOf(tier);
  }
  charge(now: number, tier: Tier, charge: number, name?: string): string | undefined {
    if (this.isIn(now, tier, name)) return undefined;
    this.charges += 1;
    const mark = name ?? String(this.charges);
    this.entries = this.live(now, tier);
    for (let unit = 0; unit < charge; unit += 1) this.entries.push({ at: now, mark });
    return mark;
  }
  refund(_now: number, _tier: Tier, charge: number, mark: string): void {
    let left = charge;
    this.entries = this.entries.filter((entry) => entry.mark !== mark || left-- <= 0);
  }
}

class TokenBucket implements CounterModel {
  private state: { tokens: number; lastRefill: number } | undefined;

  private refilled(now: number, tier: Tier): { tokens: number; lastRefill: number } {
    if (!this.state) return { tokens: tier.limit, lastRefill: now };
    const { tokens: gain, interval } = refillOf(tier.perWindow, windowOf(tier));
    let { tokens, lastRefill } = this.state;
    while (tokens < tier.limit && lastRefill + interval <= now) {
      tokens += gain;
      lastRefill += interval;
    }
    if (tokens < tier.limit) return { tokens, lastRefill };
    return { tokens: tier.limit, lastRefill: Math.max(now, this.state.lastRefill) };
  }
  inUse(now: number, tier: Tier): number {
    return tier.limit - this.refilled(now, tier).tokens;
  }
  fits(now: number, tier: Tier, charge: number): boolean {
    return this.refilled(now, tier).tokens >= charge;
  }
  resetAt(now: number, tier: Tier): number {
    const { tokens: gain, interval } = refillOf(tier.perWindow, windowOf(tier));
    let { tokens, lastRefill } = this.refilled(now, tier);
    for (; tokens < tier.limit; tokens += gain) lastRefill += interval;
    return lastRefill;
  }
  charge(now: number, tier: Tier, charge: number): string {
    const { tokens, lastRefill } = this.refilled(now, tier);
    this.state = { tokens: tokens - charge, lastRefill };
    return '';
  }
  refund(_now: number, tier: Tier, charge: number): void {
    if (this.state) this.state.tokens = Math.min(tier.limit, this.state.tokens + charge);
  }
}

class LeakyBucket implements CounterModel {
  /** The level times the window, which is a whole number. */
  private filled = 0;
  private asOf = 0;

  private level(now: number, tier: Tier): number {
    return Math.max(0, this.filled - Math.max(0, now - this.asOf) * tier.perWindow);
  }
  inUse(now: number, tier: Tier): number {
    return Math.ceil(this.level(now, tier) / windowOf(tier));
  }
  fits(now: number, tier: Tier, charge: number): boolean {
    return this.level(now, tier) + charge * windowOf(tier) <= tier.limit * windowOf(tier);
  }
  resetAt(now: number, tier: Tier): number {
    return Math.max(now, this.asOf) + Math.ceil(this.level(now, tier) / tier.perWindow);
  }
  charge(now: number, tier: Tier, charge: number): string {
    this.filled = this.level(now, tier) + charge * windowOf(tier);
    this.asOf = Math.max(now, this.asOf);
    return '';
  }
  refund(_now: number, tier: Tier, charge: number): void {
    this.filled = Math.max(0, this.filled - charge * windowOf(tier));
  }
}

const models: Record<Algorithm, new () => CounterModel> = {
  fixed_window: FixedWindow,
  sliding_window_log: SlidingWindowLog,
  sliding_window_counter: SlidingWindowCounter,
  token_bucket: TokenBucket,
  leaky_bucket: LeakyBucket,
};

/** A counter store in memory. A charge's marks are the model's own. */
export class ModelStore {
  private readonly counters = new Map<string, CounterModel>();

  charge(now: number, uses: readonly CounterUse[]) {
    const readings: CounterReading[] = [];
    let violated = -1;
    for (const [index, use] of uses.entries()) {
      const reading = this.read(now, use);
      readings.push(reading);
      if (reading.retryAfterMs === 0 || use.tier.shadow) continue;
      if (reading.retryAfterMs > (readings[violated]?.retryAfterMs ?? 0)) violated = index;
      if (use.name === undefined) break;
    }
    if (violated !== -1) return { admitted: false, readings, violated, marks: [] };
    const marks: { counter: string; mark: string }[] = [];
    for (const [index, use] of uses.entries()) {
      if (readings[index]!.retryAfterMs > 0) continue;
      const mark = this.counter(use).charge(now, use.tier, use.charge, use.name);
      if (mark !== undefined) marks.push({ counter: counterOf(use), mark });
      readings[index] = { ...this.read(now, use), retryAfterMs: 0 };
    }
    return { admitted: true, readings, violated: -1, marks };
  }

  read(now: number, use: CounterUse): CounterReading {
    const { tier, charge, name } = use;
    const counter = this.counter(use);
    const inUse = counter.inUse(now, tier);
    return {
      used: Math.ceil(inUse),
      remaining: Math.max(0, tier.limit - Math.floor(inUse)),
      resetAt: Math.ceil(counter.resetAt(now, tier, name) / 1_000),
      retryAfterMs: Math.ceil(earliest((time) => counter.fits(time, tier, charge, name), now, use) / 1_000),
    };
  }

  refund(now: number, use: CounterUse, charge: number, mark: string): void {
    this.counter(use).refund(now, use.tier, charge, mark);
  }

  private counter(use: CounterUse): CounterModel {
    const counter = this.counters.get(counterOf(use)) ?? new models[use.tier.algorithm]();
    this.counters.set(counterOf(use), counter);
    return counter;
  }
}

/** How long until it fits, found by halving: once it fits it goes on to fit. */
function earliest(fitsAt: (time: number) => boolean, now: number, { tier, charge }: CounterUse): number {
  if (charge > tier.limit) return Number.POSITIVE_INFINITY;
  if (fitsAt(now)) return 0;
  let refused = 0;
  let fits = windowOf(tier);
  while (!fitsAt(now + fits)) fits *= 2;
  while (fits - refused > 1) {
    const middle = Math.floor((refused + fits) / 2);
    if (fitsAt(now + middle)) fits = middle;
    else refused = middle;
  }
  return fits;
}
