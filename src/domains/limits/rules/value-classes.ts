import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/cache/loading-cache.js';
import { isField } from './endpoint-match.js';
import { compilePattern, type Pattern } from './pattern.js';
import type { Key, PlainRule } from './plain-rules.js';

// No value of a rule holds a control character, so none is taken for one of these.
const ABSENT = '\0absent';
const UNNAMED = '\0unnamed';
const UNNAMED_FIELD = '\0unnamed field';

const KEPT_VALUES = 10_000;
/** Longer values are matched each time: to keep them would cost memory. */
const LONGEST_KEPT = 512;

/**
 * Values that match the same rules are of one class. There are few, however many values requests bring.
 *
 * @returns a function that gives a value's class, where null is the value of a request that has none; undefined where no rule
 *   asks for the key
 */
export function valueClasses(
  rules: readonly PlainRule[],
  key: Key,
): ((value: string | null) => string) | undefined {
  const named = namesOf(rules, key);
  if (!named) return undefined;
  const signatureOf = signatures(named.patterns, UNNAMED);
  return (value) => {
    if (value === null) return ABSENT;
    return named.exact.has(value) ? value : signatureOf(value);
  };
}

/**
 * The same for endpoints, of which a request has several.
 *
 * @returns a function that answers null for an endpoint that no rule is for; undefined where no rule asks for endpoints
 */
export function endpointClasses(
  rules: readonly PlainRule[],
): ((endpoint: string) => string | null) | undefined {
  const named = namesOf(rules, 'endpoint');
  if (!named) return undefined;
  const routes = signatures(named.patterns, UNNAMED);
  // Rules of `query_cost` treat fields and routes differently.
  const fields = signatures(named.patterns, UNNAMED_FIELD);
  return (endpoint) => {
    if (named.exact.has(endpoint)) return endpoint;
    const signature = isField(endpoint) ? fields(endpoint) : routes(endpoint);
    return named.any || (signature !== UNNAMED && signature !== UNNAMED_FIELD) ? signature : null;
  };
}

interface Named {
  readonly exact: Set<string>;
  readonly patterns: Map<string, Pattern>;
  any: boolean;
}

function namesOf(rules: readonly PlainRule[], key: Key): Named | undefined {
  const named: Named = { exact: new Set(), patterns: new Map(), any: false };
  gather(rules);
  return named.any || named.exact.size > 0 || named.patterns.size > 0 ? named : undefined;

  function gather(siblings: readonly PlainRule[]): void {
    for (const { key: own, match, rules: below } of siblings) {
      if (own === key) {
        if (match.kind === 'exact') named.exact.add(match.text);
        else if (match.kind === 'any') named.any = true;
        else named.patterns.set(match.text, compilePattern(match.text));
      }
      gather(below);
    }
  }
}

/** Which of the patterns a value matches, as a text; `none` where it matches no pattern. */
function signatures(named: ReadonlyMap<string, Pattern>, none: string): (value: string) => string {
  const patterns = [...named.values()];
  if (patterns.length === 0) return () => none;
  const kept = new LRUCache<string, string>(upTo(KEPT_VALUES));
  const reckon = (value: string) =>
    patterns.reduce((text, { matches }, index) => (matches(value) ? `${text} ${index}` : text), none);
  return (value) => {
    if (value.length > LONGEST_KEPT) return reckon(value);
    const known = kept.get(value);
    if (known !== undefined) return known;
    const signature = reckon(value);
    kept.set(value, signature);
    return signature;
  };
}
