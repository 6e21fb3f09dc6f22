import type { Tier } from '../../../platform/gate.js';
import { isOfRoutesAlone } from './endpoint-match.js';
import { compilePattern, type Pattern } from './pattern.js';
import { type Key, type PlainRule, SECONDS_OF } from './plain-rules.js';

/** What a tier charges: a request, each time that an endpoint occurs, or an operation's cost. */
export type Basis = 'request' | 'endpoint' | 'cost';

/** The rules below one point of the tree, ready to be looked up. */
export type RulesByKey = ReadonlyMap<Key, Siblings>;

/** Rules for one key beside each other: the best match alone holds. */
export interface Siblings {
  readonly exact: ReadonlyMap<string, RuleNode>;
  /** The best first. */
  readonly patterns: readonly { readonly pattern: Pattern; readonly node: RuleNode }[];
  readonly any: RuleNode | undefined;
}

export interface RuleNode {
  readonly basis: Basis;
  readonly tiers: readonly Tier[];
  /** The windows, as bits, that this rule takes from the rules above it. */
  readonly replaces: number;
  /** The rule is for routes alone: its windows take those of requests, too, from the rules above it. */
  readonly isOfRoutes: boolean;
  readonly below: RulesByKey;
}

const EVERY_WINDOW = 31;
const WINDOW_BITS = new Map<number, number>(
  Object.values(SECONDS_OF).map((seconds, index) => [seconds, 1 << index]),
);

/** A tier's window as a bit; `unlimited` has one of its own, which only another `unlimited` replaces. */
export const windowBit = (tier: Tier): number =>
  tier.limit === Number.POSITIVE_INFINITY ? 16 : (WINDOW_BITS.get(tier.windowSeconds) ?? 0);

const NO_RULES: RulesByKey = new Map();

/** @param above the basis of the rule that these stand in */
export function buildTree(rules: readonly PlainRule[], above: Basis = 'request'): RulesByKey {
  if (rules.length === 0) return NO_RULES;
  const byKey = new Map<Key, PlainRule[]>();
  for (const rule of rules) {
    const siblings = byKey.get(rule.key);
    if (siblings) siblings.push(rule);
    else byKey.set(rule.key, [rule]);
  }
  return new Map([...byKey].map(([key, siblings]) => [key, buildSiblings(siblings, basisOf(key, above))]));
}

function buildSiblings(rules: readonly PlainRule[], basis: Basis): Siblings {
  const exact = new Map<string, RuleNode>();
  const patterns: { pattern: Pattern; node: RuleNode }[] = [];
  let any: RuleNode | undefined;
  for (const rule of rules) {
    const node = buildNode(rule, basis);
    if (rule.match.kind === 'exact') exact.set(rule.match.text, node);
    else if (rule.match.kind === 'any') any = node;
    else patterns.push({ pattern: compilePattern(rule.match.text), node });
  }
  patterns.sort((a, b) => b.pattern.literals - a.pattern.literals);
  return { exact, patterns, any };
}

function buildNode(rule: PlainRule, basis: Basis): RuleNode {
  const own = rule.tiers.reduce((bits, tier) => bits | windowBit(tier), 0);
  return {
    basis,
    // One that neither counts nor closes only lifts what is above it.
    tiers: rule.tiers.filter(holdsRequests),
    replaces: rule.unlimited ? EVERY_WINDOW : own,
    isOfRoutes: rule.key === 'endpoint' && isOfRoutesAlone(rule.match),
    below: buildTree(rule.rules, basis),
  };
}

function basisOf(key: Key, above: Basis): Basis {
  if (key === 'query_cost' || above === 'cost') return 'cost';
  return key === 'endpoint' ? 'endpoint' : above;
}

/** Whether requests are held against a tier at all. */
export const holdsRequests = (tier: Tier): boolean =>
  tier.limit !== Number.POSITIVE_INFINITY || tier.fail === 'closed';

/** The one of the siblings that holds for a value. */
export function bestMatch({ exact, patterns, any }: Siblings, value: string): RuleNode | undefined {
  return exact.get(value) ?? patterns.find(({ pattern }) => pattern.matches(value))?.node ?? any;
}
