import { hash } from 'node:crypto';
import type { RateLimitRequest, Tier } from '../../../platform/gate.js';
import { createMatcher } from './match.js';
import type { PlainRule, PlainRules } from './plain-rules.js';
import { readOnThread } from './reading-thread.js';
import { buildTree, holdsRequests } from './rule-tree.js';

export { TookTooLong } from './reading-thread.js';

/** A tier that holds for a request, and what it would charge. */
export interface Use {
  readonly tier: Tier;
  readonly charge: number;
}

/** A rule document that passed every check. Immutable. */
export interface Rules {
  readonly domain: string;
  /** See `versionOf`. */
  readonly version: string;
  /** The text itself. */
  readonly document: string;
  /** Every limited or fail-closed tier, in the document's order. */
  readonly tiers: readonly Tier[];
  /** The plans that rules name: bounds a metric's label. */
  readonly plans: ReadonlySet<string>;
  /** Rules that never hold here: their endpoints do not exist. */
  readonly warnings: readonly RuleFault[];
  /**
   * What holds for a request, by precedence (endpoint, user, IP, global) and then the shorter window first; narrow
   * owners before `global`. Pure and fast: a few map look-ups.
   */
  match(request: RateLimitRequest): readonly Use[];
}

/** One fault of a document. */
export interface RuleFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Where in the document, e.g. `['descriptors', '0', 'rate_limit', 'unit']`. */
  readonly path: readonly string[];
}

export type ParsedRules =
  | { readonly ok: true; readonly rules: Rules }
  | { readonly ok: false; readonly faults: readonly RuleFault[] };

/** In bytes of UTF-8. */
export const LARGEST_DOCUMENT = 256 * 1_024;

/**
 * Parses, validates whole and compiles a document in YAML or JSON. Never holds up the process's other work.
 *
 * @param endpoints every endpoint that the gate is asked about, as requests name it; undefined where they are not known. A
 *   rule for another endpoint is a fault where it fails closed, else a warning
 * @throws TookTooLong after 5 s: the document may be hostile, or the machine busy
 */
export async function readRules(document: string, endpoints?: ReadonlySet<string>): Promise<ParsedRules> {
  // The length comes first: counting the bytes of a huge text takes time too.
  if (document.length > LARGEST_DOCUMENT || Buffer.byteLength(document) > LARGEST_DOCUMENT) {
    const message = `the document is larger than ${LARGEST_DOCUMENT / 1_024} KiB`;
    return { ok: false, faults: [{ line: 1, column: 1, message, path: [] }] };
  }
  const read = await readOnThread(document, endpoints);
  return read.ok ? { ok: true, rules: compileRules(document, read.rules, read.warnings) } : read;
}

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
    version: versionOf(document),
    document,
    tiers: Object.freeze(tiers),
    plans: plansOf(rules),
    warnings,
    match: createMatcher(rules, buildTree(rules), order),
  });
}

/** The first 12 hex digits of a document's SHA-256. */
export const versionOf = (document: string): string => hash('sha256', document).slice(0, 12);

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
