import { Counter, type Registry } from 'prom-client';
import type { Tier } from '../../platform/gate.js';
import { COSTLY_TIERS } from './denial-cache.js';
import { KEYS } from './rules/plain-rules.js';
import type { Rules } from './rules/rules.js';

const RESULTS = ['allowed', 'rejected', 'cancelled', 'error'] as const;
export type Result = (typeof RESULTS)[number];

/** Where counts are shown, and the rules in force: what names another one is shown once more, and then no longer. */
interface Deps {
  readonly registry: Registry;
  readonly rules: () => Rules;
}
interface Metric {
  readonly name: string;
  readonly help: string;
}

/**
 * Makes what counts decisions by result, tier and endpoint. Plain numbers, given to the registry only when it asks: its own
 * counters build a text for each step.
 */
export function createRequestCounts({ registry, rules }: Deps, metric: Metric) {
  const tallies = new Map<string, Map<string, Record<Result, number>>>();
  new Counter({
    ...metric,
    labelNames: ['result', 'tier', 'endpoint'],
    registers: [registry],
    collect() {
      const names = namesOf(rules());
      for (const [tier, byEndpoint] of tallies) {
        for (const [endpoint, tally] of byEndpoint) {
          const isWithdrawn = !names.has(tier) || !names.has(endpoint);
          if (isWithdrawn && RESULTS.every((result) => tally[result] === 0)) {
            byEndpoint.delete(endpoint);
            for (const result of RESULTS) this.remove({ result, tier, endpoint });
            continue;
          }
          for (const result of RESULTS) {
            // All of them from the first on: a rate needs a point before the first refusal.
            this.inc({ result, tier, endpoint }, tally[result]);
            tally[result] = 0;
          }
        }
        if (byEndpoint.size === 0) tallies.delete(tier);
      }
    },
  });
  function tallyOf(tier: string, endpoint: string): Record<Result, number> {
    const known = tallies.get(tier)?.get(endpoint);
    if (known) return known;
    const tally = { allowed: 0, rejected: 0, cancelled: 0, error: 0 };
    tallies.set(tier, (tallies.get(tier) ?? new Map<string, Record<Result, number>>()).set(endpoint, tally));
    return tally;
  }

  return (result: Result, tier: string | undefined, endpoint: string | null): void => {
    tallyOf(tier ?? NO_TIER, endpoint ?? OTHER_ENDPOINT)[result] += 1;
  };
}

/** The same, of something by the label `tier`. */
export function createTierCounts({ registry, rules }: Deps, metric: Metric): (tier: Tier) => void {
  const tallies = new Map<string, number>();
  new Counter({
    ...metric,
    labelNames: ['tier'],
    registers: [registry],
    collect() {
      const names = namesOf(rules());
      for (const [tier, tally] of tallies) {
        if (tally === 0 && !names.has(tier)) {
          tallies.delete(tier);
          this.remove({ tier });
          continue;
        }
        this.inc({ tier }, tally);
        tallies.set(tier, 0);
      }
    },
  });
  return ({ rule }) => {
    tallies.set(rule, (tallies.get(rule) ?? 0) + 1);
  };
}

const NO_TIER = 'none';
const OTHER_ENDPOINT = 'other';
const NOT_OF_RULES = [NO_TIER, OTHER_ENDPOINT, ...COSTLY_TIERS.map(({ rule }) => rule)];

/** The labels that metrics go on showing: paths of rules in force and the endpoints that they name, which never look alike. */
function namesOf({ tiers }: Rules): ReadonlySet<string> {
  const names = new Set(NOT_OF_RULES);
  for (const tier of tiers) names.add(tier.rule).add(endpointLabelOf(tier) ?? OTHER_ENDPOINT);
  return names;
}

/** Where a rule's path goes on after an endpoint's value, which may hold slashes itself. */
const NEXT_KEY = new RegExp(`/(?:${KEYS.join('|')})(?:[=/]|$)`);
const ENDPOINT = /(?:^|\/)endpoint=/;

const endpoints = new WeakMap<Tier, string | null>();

/** The endpoint, or the pattern of endpoints, that a tier's rule names; null where it names none. */
export function endpointLabelOf(tier: Tier): string | null {
  const known = endpoints.get(tier);
  if (known !== undefined) return known;
  const named = readEndpoint(tier.rule);
  endpoints.set(tier, named);
  return named;
}

function readEndpoint(rule: string): string | null {
  const start = ENDPOINT.exec(rule);
  if (!start) return null;
  const rest = rule.slice(start.index + start[0].length);
  const end = rest.search(NEXT_KEY);
  return end === -1 ? rest : rest.slice(0, end);
}
