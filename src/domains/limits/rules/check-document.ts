import { isMeantAsApiKey } from '../../../platform/auth/api-key.js';
import { checkLimits, SETTINGS } from './check-limits.js';
import {
  endpointMatch,
  isOfRoutes,
  isSignIn,
  unknownEndpoint,
  type ValueMatch,
  valueMatch,
} from './endpoint-match.js';
import { type Flaw, type Located, quoted, shown } from './located.js';
import { makeTier, ruleText } from './make-tier.js';
import { KEYS, type Key, type PathStep, type PlainRule, type PlainRules } from './plain-rules.js';
import { orList, Section } from './section.js';
import { valueFault } from './value-faults.js';

const MAX_RULES = 2_000;
const MAX_NESTING = 8;

const OF_A_RULE = ['key', 'value', 'descriptors', 'rate_limit', 'rate_limits', ...SETTINGS];

/** What is known while a document is checked. */
interface Course {
  /** How many rules the whole document has had so far. */
  rules: number;
  readonly endpoints: ReadonlySet<string> | undefined;
  readonly warnings: Flaw[];
}

/**
 * Checks all that a readable document says, and goes on after each fault. The rules count only where no flaw was added.
 * A rule for an endpoint that does not exist is a flaw where it fails closed, since what it was written to protect would
 * go unprotected, else a warning.
 *
 * @param endpoints every endpoint that the gate is asked about; undefined where they are not known
 */
export function checkDocument(
  root: Located,
  flaws: Flaw[],
  warnings: Flaw[],
  endpoints: ReadonlySet<string> | undefined,
): PlainRules {
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
  return { domain: domain ?? '', rules: checkRules(top, [], { rules: 0, endpoints, warnings }) };
}

function checkRules(parent: Section, above: readonly PathStep[], course: Course): PlainRule[] {
  const siblings = new Set<string>();
  const rules: PlainRule[] = [];
  for (const section of parent.sections('descriptors') ?? []) {
    if (course.rules > MAX_RULES) break;
    course.rules += 1;
    if (course.rules > MAX_RULES) {
      section.flaw(`more than ${MAX_RULES} rules in one document`);
      break;
    }
    const rule = checkRule(section, above, siblings, course);
    if (rule) rules.push(rule);
  }
  return rules;
}

function checkRule(
  section: Section,
  above: readonly PathStep[],
  siblings: Set<string>,
  course: Course,
): PlainRule | undefined {
  section.refuseOthersThan(OF_A_RULE);
  const step = checkStep(section, above, siblings);
  const limits = checkLimits(section);
  // The place of a rule whose key is unknown still has to be checked inside.
  const path = step ? [...above, step] : above;
  const rules = checkNested(section, path, above.length + 1, course);
  if (!['rate_limit', 'rate_limits', 'unlimited', 'descriptors'].some((name) => section.has(name))) {
    section.flaw(
      "this rule does nothing: it needs rate_limit, rate_limits, 'unlimited: true' or descriptors",
    );
  }
  if (!step) return undefined;
  const isUnlimited = limits.some(({ limit }) => limit === Number.POSITIVE_INFINITY);
  const tiers = limits.map((limit) => makeTier(path, limit));
  const rule = { ...step, tiers, unlimited: isUnlimited, rules };
  checkEndpoint(section, rule, path, course);
  return rule;
}

function checkEndpoint(section: Section, rule: PlainRule, path: readonly PathStep[], course: Course): void {
  if (rule.key !== 'endpoint' || !course.endpoints) return;
  const why = unknownEndpoint(rule.match, course.endpoints);
  if (why === null) return;
  if (failsClosed(rule))
    section.flawOf(
      'value',
      `this rule fails closed, and could never hold: ${why}; got ${quoted(rule.match.text)}`,
    );
  else
    course.warnings.push({
      at: section.get('value')?.at ?? 0,
      message: `the rule ${quoted(ruleText(path))} never holds: ${why}`,
      path: section.pathTo('value'),
    });
}

const failsClosed = ({ tiers, rules }: PlainRule): boolean =>
  tiers.some(({ fail, shadow }) => fail === 'closed' && !shadow) || rules.some(failsClosed);

function checkNested(
  section: Section,
  path: readonly PathStep[],
  depth: number,
  course: Course,
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
  return checkRules(section, path, course);
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

/** A key that was written in place of its id is not shown: it is a secret. */
const gotten = (value: string): string => (isMeantAsApiKey(value) ? '' : `; got ${quoted(value)}`);

function contradictionOf(step: PathStep, above: readonly PathStep[]): string | null {
  const path = [...above, step];
  const has = (key: Key) => path.some((each) => each.key === key);
  if (above.some(({ key }) => key === step.key)) return `${step.key} stands further up on its path`;
  const isOfKnownCallers = has('user_id') || has('plan') || has('api_key');
  if (has('remote_address') && isOfKnownCallers) {
    return 'remote_address is for anonymous callers; user_id, plan and api_key are for known ones';
  }
  const endpoint = path.find(({ key }) => key === 'endpoint')?.match;
  if (endpoint && has('query_cost') && isOfRoutes(endpoint))
    return 'query_cost is of GraphQL operations, whose endpoints are Type.field';
  if (endpoint && isOfKnownCallers && isSignIn(endpoint))
    return 'login is charged to anonymous callers: wrong credentials make nobody known';
  return null;
}
