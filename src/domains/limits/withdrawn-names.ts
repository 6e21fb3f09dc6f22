import { endpointLabelOf } from './rule-path.js';
import type { Rules } from './rules/rules.js';

/** Names of rules that are no longer in force: metrics stop showing them. */
export interface WithdrawnNames {
  /** Takes note of the rules in force; nearly free while they are the same. */
  look(): void;
  /** Paths of rules. */
  rules(): ReadonlySet<string>;
  /** Endpoints as metrics label them. */
  endpoints(): ReadonlySet<string>;
}

/** @param current the rules of this moment */
export function createWithdrawnNames(current: () => Rules): WithdrawnNames {
  const rules = new Set<string>();
  const endpoints = new Set<string>();
  let last: Rules | undefined;

  function look(): void {
    const next = current();
    if (next === last) return;
    for (const tier of last?.tiers ?? []) {
      rules.add(tier.rule);
      endpoints.add(endpointLabelOf(tier) ?? '');
    }
    for (const tier of next.tiers) {
      rules.delete(tier.rule);
      endpoints.delete(endpointLabelOf(tier) ?? '');
    }
    last = next;
  }

  return {
    look,
    rules() {
      look();
      return rules;
    },
    endpoints() {
      look();
      return endpoints;
    },
  };
}
