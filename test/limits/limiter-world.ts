import { Registry } from 'prom-client';
import {
  type Charged,
  type CounterReading,
  type CounterStore,
  type CounterUse,
  counterOf,
} from '../../src/domains/limits/counters/store.js';
import { createLimiter, type Limiter } from '../../src/domains/limits/limiter.js';
import type { Rules, Use } from '../../src/domains/limits/rules/rules.js';
import type {
  RateLimitCaller,
  RateLimitDecision,
  RateLimitRequest,
  Receipt,
  Tier,
} from '../../src/platform/gate.js';
import { aTier } from './hand-made-decision.js';

export const NOW = Date.UTC(2026, 0, 1);

export const alice: RateLimitCaller = {
  userId: 'alice',
  plan: 'pro',
  apiKeyId: null,
  network: '192.0.2.1',
};
export const anonymous: RateLimitCaller = { userId: null, plan: null, apiKeyId: null, network: '192.0.2.9' };

/** A fixed window a minute of 3 for each caller, unless given otherwise. */
export function tierOf(parts: Partial<Tier> = {}): Tier {
  const { rule = 'user_id' } = parts;
  const counts = rule.includes('query_cost') ? 'query_cost' : 'requests';
  return aTier({ limit: 3, counts, counterId: `of ${rule}`, ...parts });
}

/** Rules of which all hold for every request, each charging its cost. */
export function rulesOf(...tiers: Tier[]): Rules {
  return rulesThat(
    tiers,
    tiers.map((tier) => ({ tier, charge: tier.cost })),
  );
}

/** Rules of which these uses hold for every request. */
export function rulesThat(tiers: readonly Tier[], uses: readonly Use[]): Rules {
  const plans = new Set(['free', 'pro']);
  return { domain: 'test', version: 'v', document: '', tiers, plans, warnings: [], match: () => uses };
}

export const requestOf = (parts: Partial<RateLimitRequest> = {}): RateLimitRequest => ({
  caller: alice,
  endpoints: new Map([['GET /api/search', 1]]),
  queryCost: null,
  part: 'whole',
  ...parts,
});

/** Counters in memory, in fixed windows: a third party that can be made to fail. */
export class CountingStore implements CounterStore {
  readonly counts = new Map<string, number>();
  /** The uses of each charge. */
  readonly asked: (readonly CounterUse[])[] = [];
  readonly refunds: Receipt[] = [];
  failure: Error | undefined;
  /** Milliseconds since the epoch. */
  now: () => number = () => NOW;

  async charge(uses: readonly CounterUse[]): Promise<Charged> {
    this.asked.push(uses);
    if (this.failure) throw this.failure;
    const readings: CounterReading[] = [];
    for (const [index, use] of uses.entries()) {
      const reading = this.#read(use);
      readings.push(reading);
      if (reading.retryAfterMs > 0 && !use.tier.shadow) {
        return { admitted: false, readings, violated: index, receipt: [] };
      }
    }
    const receipt = uses
      .filter((_, index) => readings[index]!.retryAfterMs === 0)
      .map(({ tier, key, owner, charge }) => {
        this.counts.set(this.#slot(key, tier), this.#used(key, tier) + charge);
        return { key, owner, algorithm: tier.algorithm, charge, mark: '1', tier };
      });
    const after = uses.map((use, index) => ({
      ...this.#read(use),
      retryAfterMs: readings[index]!.retryAfterMs,
    }));
    return { admitted: true, readings: after, violated: -1, receipt };
  }

  async peek(uses: readonly CounterUse[]): Promise<readonly CounterReading[]> {
    if (this.failure) throw this.failure;
    return uses.map((use) => this.#read(use));
  }

  refund(receipt: Receipt): void {
    this.refunds.push(receipt);
    for (const { key, tier, charge } of receipt) {
      this.counts.set(this.#slot(key, tier), Math.max(0, this.#used(key, tier) - charge));
    }
  }

  async close(): Promise<void> {}

  #slot(key: string, tier: Tier): string {
    return `${counterOf({ key, tier })} ${Math.floor(this.now() / (tier.windowSeconds * 1_000))}`;
  }

  #used(key: string, tier: Tier): number {
    return this.counts.get(this.#slot(key, tier)) ?? 0;
  }

  #read({ key, tier, charge }: CounterUse): CounterReading {
    const used = this.#used(key, tier);
    const windowMs = tier.windowSeconds * 1_000;
    const resetAt = (Math.floor(this.now() / windowMs) + 1) * windowMs;
    const wait = charge <= tier.limit ? resetAt - this.now() : Number.POSITIVE_INFINITY;
    const retryAfterMs = used + charge <= tier.limit ? 0 : wait;
    return { used, remaining: Math.max(0, tier.limit - used), resetAt, retryAfterMs };
  }
}

/** A limiter whose time stands still until it is moved. */
export interface LimiterWorld {
  readonly limiter: Limiter;
  readonly store: CountingStore;
  readonly registry: Registry;
  readonly noted: RateLimitDecision[];
  readonly errors: unknown[];
  rules: Rules;
  pass(ms: number): void;
  /** A metric's samples by their labels' values, joined. */
  samples(name: string): Promise<Record<string, number>>;
}

export function limiterWorld(rules: Rules): LimiterWorld {
  const store = new CountingStore();
  const registry = new Registry();
  const noted: RateLimitDecision[] = [];
  const errors: unknown[] = [];
  let elapsed = 0;
  store.now = () => NOW + elapsed;
  const world: LimiterWorld = {
    limiter: createLimiter({
      rules: () => world.rules,
      store,
      metrics: registry,
      nearLimits: { note: (_, decision) => noted.push(decision) },
      monotonic: () => elapsed,
      clock: { now: () => NOW + elapsed },
      onError: (error) => errors.push(error),
    }),
    store,
    registry,
    noted,
    errors,
    rules,
    pass(ms) {
      elapsed += ms;
    },
    async samples(name) {
      const metric = await registry.getSingleMetric(name)?.get();
      const values = (metric?.values ?? []).filter(({ value }) => value !== 0);
      return Object.fromEntries(
        values.map(({ labels, value }) => [Object.values(labels).join(' | '), value]),
      );
    },
  };
  return world;
}
