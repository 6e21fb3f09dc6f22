import { loadPackageOfProduct, loadProduct } from '../../../harness/product.ts';
import { openLimiter, requestOf } from '../limiter.ts';
import type { Checker, Limit } from './checker.ts';

/** The product's limiter, rules and metrics included, on its own guarded connection. */
export async function openTidings(redisUrl: string, limits: readonly Limit[]): Promise<Checker> {
  const { limiter, close } = await open(redisUrl, limits);
  return {
    async check(user) {
      const { outcome, decidedBy } = await limiter.decide(requestOf(user));
      if (decidedBy === 'unreachable') return 'unasked';
      return outcome === 'ALLOW' ? 'admitted' : 'refused';
    },
    close,
  };
}

/** The product's counters alone, without rules and metrics: what a library of counters does. */
export async function openCounters(redisUrl: string, limits: readonly Limit[]): Promise<Checker> {
  const { rules, store, close } = await open(redisUrl, limits);
  const { counterUses } =
    await loadProduct<typeof import('../../../../src/domains/limits/owners.js')>('domains/limits/owners.js');
  return {
    async check(user) {
      const { caller } = requestOf(user);
      const uses = rules.tiers.map((tier) => ({ tier, charge: 1 }));
      return (await store.charge(counterUses(caller, uses))).admitted ? 'admitted' : 'refused';
    },
    close,
  };
}

function open(redisUrl: string, limits: readonly Limit[]) {
  const { Registry } = loadPackageOfProduct<typeof import('prom-client')>('prom-client');
  const tiers = limits.map(({ requests, unit }) => ({ requests_per_unit: requests, unit }));
  const document = JSON.stringify({
    domain: 'bench',
    descriptors: [{ key: 'user_id', rate_limits: tiers }],
  });
  return openLimiter(redisUrl, document, new Registry());
}
