import type { Algorithm } from '../../../platform/gate.js';
import { quoted } from './located.js';
import type { Limit } from './make-tier.js';
import { SECONDS_OF, type Unit } from './plain-rules.js';
import type { Section } from './section.js';

/** By each name that a rule may call them. */
const ALGORITHM_OF: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['fixed_window', 'fixed_window'],
  ['sliding_window_log', 'sliding_window_log'],
  ['sliding_log', 'sliding_window_log'],
  ['sliding_window_counter', 'sliding_window_counter'],
  ['sliding_counter', 'sliding_window_counter'],
  ['token_bucket', 'token_bucket'],
  ['leaky_bucket', 'leaky_bucket'],
]);

const UNITS = ['second', 'minute', 'hour', 'day'] as const satisfies readonly Unit[];

/** A longer refill is taken for a typing error; its reset would be no valid time. */
const LONGEST_REFILL_S = 3_650 * SECONDS_OF.day;

/** A log keeps an entry a request. */
const MAX_LOG = 10_000;

/** Said inside a limit, or beside it for all of the rule's limits. */
export const SETTINGS = [
  'algorithm',
  'burst',
  'soft_limit',
  'action',
  'fail',
  'shadow',
  'unlimited',
  'cost',
] as const;
const OF_A_LIMIT = ['requests_per_unit', 'unit', ...SETTINGS];
const OF_A_WINDOW = ['name', ...OF_A_LIMIT];
/** What means nothing where nothing is counted. */
const COUNTING = ['requests_per_unit', 'unit', 'algorithm', 'burst', 'soft_limit', 'cost', 'shadow'];

/** The window that fail-closed refusals name where nothing is counted: they last 60 s. */
const UNLIMITED_WINDOW_S = 60;

/** The limits of one descriptor; what is wrong with them becomes flaws. */
export function checkLimits(rule: Section): Limit[] {
  if (rule.has('rate_limit') && rule.has('rate_limits')) {
    rule.flawOfKey('rate_limits', 'rate_limit and rate_limits exclude each other');
  }
  const windows = rule.sections('rate_limits');
  if (windows) return checkWindows(rule, windows);
  const single = rule.section('rate_limit');
  if (single) {
    single.refuseOthersThan(OF_A_LIMIT);
    return checkLimit(rule, single);
  }
  if (rule.has('rate_limit') || rule.has('rate_limits')) return [];
  if (rule.flag('unlimited')) return unlimited(rule, rule);
  for (const name of SETTINGS) {
    if (rule.has(name))
      rule.flawOfKey(name, `${name} needs a rate_limit, rate_limits or 'unlimited: true' beside it`);
  }
  return [];
}

function checkWindows(rule: Section, windows: readonly Section[]): Limit[] {
  if (windows.length === 0) rule.flawOf('rate_limits', 'rate_limits must hold at least one limit');
  const seen = new Set<string>();
  return windows.flatMap((window) => {
    window.refuseOthersThan(OF_A_WINDOW);
    if (window.get('unlimited') ?? rule.get('unlimited')) {
      const where = window.has('unlimited') ? window : rule;
      where.flawOfKey('unlimited', 'unlimited is for all windows at once: it takes the place of rate_limits');
      return [];
    }
    const limits = checkLimit(rule, window);
    for (const { windowSeconds, name } of limits) {
      const unit = `unit ${windowSeconds}`;
      if (seen.has(unit)) window.flawOf('unit', 'this unit stands in rate_limits already');
      else if (seen.has(name))
        window.flawOf('name', `a limit named ${quoted(name)} stands in rate_limits already`);
      seen.add(unit).add(name);
    }
    return limits;
  });
}

/** @param own the limit itself, in a rule that may say some of its settings beside it */
function checkLimit(rule: Section, own: Section): Limit[] {
  for (const name of SETTINGS) {
    if (own.has(name) && rule.has(name))
      own.flawOfKey(name, `${name} is said beside the limit and inside it: say it once`);
  }
  const holder = (name: string): Section => (own.has(name) ? own : rule);
  if (holder('unlimited').flag('unlimited')) return unlimited(rule, own);

  const unit = required(own, 'unit', own.oneOf('unit', UNITS));
  const perWindow = required(own, 'requests_per_unit', own.number('requests_per_unit'));
  const algorithmName = holder('algorithm').oneOf('algorithm', [...ALGORITHM_OF.keys()]);
  const algorithm = ALGORITHM_OF.get(algorithmName ?? 'fixed_window') ?? 'fixed_window';
  const burst = holder('burst').number('burst');
  const softLimit = holder('soft_limit').number('soft_limit') ?? null;
  const cost = holder('cost').number('cost') ?? 1;
  const action = actionOf(holder('action'));
  const fail = failOf(holder('fail'));
  const shadow = holder('shadow').flag('shadow') ?? false;
  const name = own.has('name') ? nameOf(own) : `per_${unit}`;

  const isBucket = algorithm === 'token_bucket' || algorithm === 'leaky_bucket';
  const isAlgorithmKnown = algorithmName !== undefined || !holder('algorithm').has('algorithm');
  if (burst !== undefined && isAlgorithmKnown && !isBucket) {
    holder('burst').flawOfKey('burst', `burst is for token_bucket and leaky_bucket, not for ${algorithm}`);
  }
  const limit = burst ?? perWindow;
  if (!unit || !perWindow || !limit || !name) return [];
  if (softLimit !== null && softLimit >= limit) {
    holder('soft_limit').flawOf(
      'soft_limit',
      `soft_limit must be below the limit, ${limit}; got ${softLimit}`,
    );
  }
  if (cost > limit) {
    holder('cost').flawOf(
      'cost',
      `cost must not be above the limit, ${limit}: nothing could be admitted; got ${cost}`,
    );
  }
  if (algorithm === 'sliding_window_log' && limit > MAX_LOG) {
    own.flawOf('requests_per_unit', `${algorithm} keeps every request: ${MAX_LOG} at most; got ${limit}`);
  }
  const windowSeconds = SECONDS_OF[unit];
  if (isBucket && (limit / perWindow) * windowSeconds > LONGEST_REFILL_S) {
    holder('burst').flawOf(
      'burst',
      `burst must come back within ${LONGEST_REFILL_S / SECONDS_OF.day} days: it is ${limit}, at ${perWindow} a ${unit}`,
    );
  }
  return [{ name, algorithm, windowSeconds, limit, perWindow, softLimit, action, fail, shadow, cost }];
}

function unlimited(rule: Section, own: Section): Limit[] {
  for (const section of new Set([own, rule])) {
    for (const name of COUNTING) {
      if (section.has(name)) section.flawOfKey(name, `${name} means nothing where unlimited is true`);
    }
  }
  return [
    {
      name: 'unlimited',
      algorithm: 'fixed_window',
      windowSeconds: UNLIMITED_WINDOW_S,
      limit: Number.POSITIVE_INFINITY,
      perWindow: Number.POSITIVE_INFINITY,
      softLimit: null,
      action: actionOf(own.has('action') ? own : rule),
      fail: failOf(own.has('fail') ? own : rule),
      shadow: false,
      cost: 1,
    },
  ];
}

const actionOf = (holder: Section): Limit['action'] =>
  holder.oneOf('action', ['reject', 'throttle']) ?? 'reject';

const failOf = (holder: Section): Limit['fail'] => holder.oneOf('fail', ['open', 'closed']) ?? 'open';

function required<T>(section: Section, name: string, value: T | undefined): T | undefined {
  if (!section.has(name))
    section.flaw(`${name} is missing${name === 'unit' ? ': second, minute, hour or day' : ''}`);
  return value;
}

/** It is part of headers and metrics. */
function nameOf(window: Section): string | undefined {
  const name = window.text('name');
  if (name === undefined || /^[\w.-]{1,64}$/.test(name)) return name;
  return window.flawOf(
    'name',
    `name must be 1 to 64 of letters, digits, '_', '.' and '-'; got ${quoted(name)}`,
  );
}
