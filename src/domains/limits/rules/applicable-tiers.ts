import { LEVELS, type RateLimitRequest, type Tier } from '../../../platform/gate.js';
import { isField } from './endpoint-match.js';
import type { Key } from './plain-rules.js';
import { type Basis, bestMatch, type RulesByKey, windowBit } from './rule-tree.js';

/** A tier that holds, before counts are known. */
export interface ApplicableTier {
  readonly tier: Tier;
  readonly basis: Basis;
  /** Which of the endpoints, by their place, fall under its rule. */
  readonly endpoints: readonly number[];
}

type Values = Partial<Readonly<Record<Key, string>>>;
type Replaced = Record<Basis, number>;

/**
 * The tiers that hold for a request with these endpoints, in the order of `Rules.match`.
 *
 * Rules without an endpoint are looked up once, the others for each endpoint by itself. A deeper rule replaces windows
 * only where both count the same thing: requests, calls of an endpoint, points of all operations, or points of those
 * that call an endpoint. Else what holds on arrival would hang on an operation that is not known yet. Calls of a route
 * are requests: it is known on arrival.
 */
export function applicableTiers(
  tree: RulesByKey,
  order: ReadonlyMap<Tier, number>,
  request: Pick<RateLimitRequest, 'caller' | 'queryCost' | 'part'>,
  endpoints: readonly string[],
): ApplicableTier[] {
  const found = new Map<Tier, { tier: Tier; basis: Basis; endpoints: number[] }>();
  const hasCost = request.part !== 'request' && request.queryCost !== null;
  const values = valuesOf(request, hasCost);
  collect(tree, values, (tier, basis) => found.set(tier, { tier, basis, endpoints: [] }));
  endpoints.forEach((endpoint, index) => {
    const isOfOperation = isField(endpoint);
    const withEndpoint = valuesOf(request, hasCost && isOfOperation);
    withEndpoint.endpoint = endpoint;
    const kept = new Set<Tier>();
    collect(tree, withEndpoint, (tier, basis, hasEndpoint) => {
      if (!hasEndpoint) {
        kept.add(tier);
        return;
      }
      const known = found.get(tier);
      if (known) known.endpoints.push(index);
      else found.set(tier, { tier, basis, endpoints: [index] });
    });
    for (const { tier, basis } of found.values())
      if (basis === 'request' && !kept.has(tier)) found.delete(tier);
  });
  const holding = [...found.values()].filter(
    ({ basis }) => request.part !== 'operation' || basis !== 'request',
  );
  return holding.sort(
    (a, b) => precedence(a.tier, b.tier) || (order.get(a.tier) ?? 0) - (order.get(b.tier) ?? 0),
  );
}

function valuesOf(
  request: Pick<RateLimitRequest, 'caller'>,
  hasCost: boolean,
): { -readonly [K in keyof Values]: string } {
  const { userId, plan, apiKeyId, network } = request.caller;
  return {
    global: '',
    ...(userId === null ? { remote_address: network } : { user_id: userId }),
    ...(plan !== null && { plan }),
    ...(apiKeyId !== null && { api_key: apiKeyId }),
    ...(hasCost && { query_cost: '' }),
  };
}

/** @returns the windows that the rules found replace above them */
function collect(
  rules: RulesByKey,
  values: Values,
  found: (tier: Tier, basis: Basis, hasEndpoint: boolean) => void,
  isUnderEndpoint = false,
): Replaced {
  const replaced: Replaced = { request: 0, endpoint: 0, cost: 0 };
  for (const [key, siblings] of rules) {
    const value = values[key];
    const node = value === undefined ? undefined : bestMatch(siblings, value);
    if (!node) continue;
    const hasEndpoint = isUnderEndpoint || key === 'endpoint';
    const below = collect(node.below, values, found, hasEndpoint);
    for (const tier of node.tiers) {
      if ((below[node.basis] & windowBit(tier)) === 0) found(tier, node.basis, hasEndpoint);
    }
    replaced.request |= below.request;
    replaced.endpoint |= below.endpoint;
    replaced.cost |= below.cost;
    replaced[node.basis] |= node.replaces;
    if (node.isOfRoutes) replaced.request |= below.endpoint | node.replaces;
  }
  return replaced;
}

/** Narrow owners first, then the most specific level, then the shorter window. */
function precedence(a: Tier, b: Tier): number {
  return (
    Number(a.scope === 'global') - Number(b.scope === 'global') ||
    LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
    a.windowSeconds - b.windowSeconds
  );
}
