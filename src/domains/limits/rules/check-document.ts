import { isMeantAsApiKey } from '../../../platform/api-key.js';
import { checkLimits, SETTINGS } from './check-limits.js';
import { endpointMatch, isField, type ValueMatch, valueMatch } from './endpoint-match.js';
import { type Flaw, type Located, quoted, shown } from './located.js';
import { makeTier, ruleText } from './make-tier.js';
import { KEYS, type Key, type PathStep, type PlainRule, type PlainRules } from './plain-rules.js';
import { orList, Section } from './section.js';
import { valueFault } from './value-faults.js';

const MAX_RULES = 2_000;
const MAX_NESTING = 8;

const OF_A_RULE = ['key', 'value', 'descriptors', 'rate_limit', 'rate_limits', ...SETTINGS];

/** Checks all that a readable document says, and goes on after each fault. The rules count only where no flaw was added. */
export function checkDocument(root: Located, flaws: Flaw[]): PlainRules {
  if (root.kind !== 'map') {
    flaws.push({
      at: root.at,
      message: `a rule document is a mapping with domain and descriptors; got ${shown(root)}`,
      path: [],
    });
    return { domain: '', rules: [] };
  }
  const top = new Section(root, [], flaws);
  top.refuseOthersThan(['domain', 'descriptors']);
  const domain = top.text('domain');
  if (!top.has('domain')) top.flaw('domain is missing');
  if (!top.has('descriptors')) top.flaw('descriptors is missing');
  return { domain: domain ?? '', rules: checkRules(top, [], { rules: 0 }) };
}

/** @param seen how many rules the whole document has had so far */
function checkRules(parent: Section, above: readonly PathStep[], seen: { rules: number }): PlainRule[] {
  const siblings = new Set<string>();
  const rules: PlainRule[] = [];
  for (const section of parent.sections('descriptors') ?? []) {
    if (seen.rules > MAX_RULES) break;
    seen.rules += 1;
    if (seen.rules > MAX_RULES) {
      section.flaw(`more than ${MAX_RULES} rules in one document`);
      break;
    }
    const rule = checkRule(section, above, siblings, seen);
    if (rule) rules.push(rule);
  }
  return rules;
}

function checkRule(
  section: Section,
  above: readonly PathStep[],
  siblings: Set<string>,
  seen: { rules: number },
): PlainRule | undefined {
  section.refuseOthersThan(OF_A_RULE);
  const step = checkStep(section, above, siblings);
  const limits = checkLimits(section);
  // The place of a rule whose key is unknown still has to be checked inside.
  const path = step ? [...above, step] : above;
  const rules = checkNested(section, path, above.length + 1, seen);
  if (!['rate_limit', 'rate_limits', 'unlimited', 'descriptors'].some((name) => section.has(name))) {
    section.flaw(
      "this rule does nothing: it needs rate_limit, rate_limits, 'unlimited: true' or descriptors",
    );
  }
  if (!step) return undefined;
  const isUnlimited = limits.some(({ limit }) => limit === Number.POSITIVE_INFINITY);
  return { ...step, tiers: limits.map((limit) => makeTier(path, limit)), unlimited: isUnlimited, rules };
}

function checkNested(
  section: Section,
  path: readonly PathStep[],
  depth: number,
  seen: { rules: number },
): PlainRule[] {
  const nested = section.get('descriptors');
  if (!nested) return [];
  if (depth >= MAX_NESTING) {
    section.flawOf('descriptors', `descriptors may be nested ${MAX_NESTING} deep at most`);
    return [];
  }
  if (nested.kind === 'list' && nested.items.length === 0) {
    section.flawOf('descriptors', 'descriptors inside a rule must hold at least one');
  }
  return checkRules(section, path, seen);
}

function checkStep(
  section: Section,
  above: readonly PathStep[],
  siblings: Set<string>,
): PathStep | undefined {
  if (!section.has('key')) section.flaw(`key is missing: ${orList(KEYS)}`);
  const key = section.oneOf('key', KEYS);
  const value = section.text('value');
  if (!key || (section.has('value') && value === undefined)) return undefined;
  const step = { key, match: matchOf(section, key, value) };
  const label = section.has('value') ? 'value' : 'key';
  const text = ruleText([step]);
  if (siblings.has(text)) section.flawOf(label, `duplicate: a rule for ${quoted(text)} stands here already`);
  siblings.add(text);
  const contradiction = contradictionOf(step, above);
  if (contradiction) section.flawOf(label, `this rule could never hold: ${contradiction}`);
  return step;
}

function matchOf(section: Section, key: Key, value: string | undefined): ValueMatch {
  if (value !== undefined && (key === 'global' || key === 'query_cost')) {
    section.flawOfKey('value', `${key} takes no value`);
  }
  const match = key === 'endpoint' ? endpointMatch(value) : valueMatch(value);
  const fault = valueFault(key, match);
  if (fault !== null && value !== undefined) section.flawOf('value', `${fault}${gotten(value)}`);
  return match;
}

/** A key that stands where its id should is not told on: it is a secret. */
const gotten = (value: string): string => (isMeantAsApiKey(value) ? '' : `; got ${quoted(value)}`);

function contradictionOf(step: PathStep, above: readonly PathStep[]): string | null {
  const path = [...above, step];
  const has = (key: Key) => path.some((each) => each.key === key);
  if (above.some(({ key }) => key === step.key)) return `${step.key} stands further up on its path`;
  if (has('remote_address') && (has('user_id') || has('api_key'))) {
    return 'remote_address is for anonymous callers, user_id and api_key for known ones';
  }
  const route = path.find(
    ({ key, match }) => key === 'endpoint' && match.kind === 'exact' && !isField(match.text),
  );
  if (route && has('query_cost'))
    return 'query_cost is of GraphQL operations, whose endpoints are Type.field';
  return null;
}
