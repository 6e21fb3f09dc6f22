import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { CounterStore } from '../../../src/domains/limits/counters/store.js';
import type { Limiter } from '../../../src/domains/limits/limiter.js';
import type { Rules } from '../../../src/domains/limits/rules/rules.js';
import type { RateLimitRequest } from '../../../src/platform/gate.js';
import { loadProduct } from '../../harness/product.ts';

/** A limiter and what it stands on. */
export interface OpenLimiter {
  readonly limiter: Limiter;
  readonly rules: Rules;
  readonly store: CounterStore;
  close(): Promise<void>;
}

/** The product's limiter with the rules of `document`, its counters in one Redis. Resolves once they answer. */
export async function openLimiter(
  redisUrl: string,
  document: string,
  metrics: Registry,
): Promise<OpenLimiter> {
  const { openGuardedRedis } = await loadProduct<
    typeof import('../../../src/domains/limits/counters/guarded-redis.js')
  >('domains/limits/counters/guarded-redis.js');
  const { createCounterStore } = await loadProduct<
    typeof import('../../../src/domains/limits/counters/counter-store.js')
  >('domains/limits/counters/counter-store.js');
  const { readRules } = await loadProduct<typeof import('../../../src/domains/limits/rules/rules.js')>(
    'domains/limits/rules/rules.js',
  );
  const { createLimiter } =
    await loadProduct<typeof import('../../../src/domains/limits/limiter.js')>('domains/limits/limiter.js');
  const read = await readRules(document);
  if (!read.ok)
    throw new Error(read.faults.map(({ line, message }) => `line ${line}: ${message}`).join('; '));
  const { rules } = read;
  const guarded = openGuardedRedis({
    urls: [redisUrl],
    onError: (error) => process.stderr.write(`${error.message}\n`),
  });
  const store = createCounterStore(guarded);
  const limiter = createLimiter({ rules: () => rules, store, metrics });
  while ((await limiter.preview(requestOf('nobody'))).decidedBy !== 'store') await pause(20);
  return { limiter, rules, store, close: () => store.close() };
}

/** A signed-in user's request. */
export const requestOf = (userId: string): RateLimitRequest => ({
  caller: { userId, plan: 'free', apiKeyId: null, network: '192.0.2.1' },
  endpoints,
  queryCost: null,
  part: 'request',
});
const endpoints: ReadonlyMap<string, number> = new Map([['GET /api/v1/feed', 1]]);
