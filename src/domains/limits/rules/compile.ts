import { hash } from 'node:crypto';
import type { Tier } from '../../../platform/gate.js';
import { createMatcher } from './match.js';
import type { PlainRule, PlainRules } from './plain-rules.js';
import { buildTree, holdsRequests } from './rule-tree.js';
import type { RuleFault, Rules } from './rules.js';

/** Makes checked rules ready for requests. What is shared is frozen. */
export function compileRules(
  document: string,
  { domain, rules }: PlainRules,
  warnings: readonly RuleFault[] = [],
): Rules {
  const tiers = tiersOf(rules);
  const order = new Map(tiers.map((tier, index) => [tier, index]));
  return Object.freeze({
    domain,
    version: hash('sha256', document).slice(0, 12),
    document,
    tiers: Object.freeze(tiers),
    plans: plansOf(rules),
    warnings,
    match: createMatcher(rules, buildTree(rules), order),
  });
}

const tiersOf = (rules: readonly PlainRule[]): Tier[] =>
  rules.flatMap((rule) => [
    ...rule.tiers.filter(holdsRequests).map((tier) => Object.freeze(tier)),
    ...tiersOf(rule.rules),
  ]);

function plansOf(rules: readonly PlainRule[], plans = new Set<string>()): Set<string> {
  for (const { key, match, rules: below } of rules) {
    if (key === 'plan' && match.kind === 'exact') plans.add(match.text);
    plansOf(below, plans);
  }
  return plans;
}
