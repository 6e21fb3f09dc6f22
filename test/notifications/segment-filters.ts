import fc from 'fast-check';
import type {
  AttributeType,
  AttributeTypes,
} from '../../src/domains/notifications/segments/attribute-types.js';
import { countryOf } from '../../src/domains/notifications/segments/countries.js';
import {
  type Comparison,
  comparisons,
  type Filter,
  join,
  type Literal,
  predicatesOf,
  UNITS,
} from '../../src/domains/notifications/segments/filter.js';

/** The attributes of made-up users. */
export const TYPES: AttributeTypes = new Map<string, AttributeType>([
  ['plan', 'string'],
  ['constructor', 'string'],
  ['score', 'number'],
  ['active', 'boolean'],
  ['since', 'datetime'],
  ['tags', 'strings'],
]);

/** 2026-06-15, as which filters are asked. */
export const NOW = Date.parse('2026-06-15T12:00:00.000Z');
const DAY = 86_400_000;

/** A user as the evaluator knows them. */
export interface MadeUser {
  readonly userId: string;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
  readonly followerCount: number;
  /** Null: they never set anything. */
  readonly settings: { readonly language: string | null; readonly timezone: string } | null;
  readonly devices: readonly { readonly platform: string; readonly isActive: boolean }[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

// Few values, so that filters match; among them texts whose order differs in UTF-16, and numbers that doubles hold roughly.
const texts = ['', 'a', 'A', 'pro', 'say "no"', 'back\\slash', 'ä', '\uffff', '\u{10000}', "o'hara $1 {x}"];
const numbers = [0, 1, -1, 0.1, 0.3, 1e21, 5e-7, 42];
const instants = ['2026-01-31T00:00:00.000Z', '2026-06-08T12:00:00.000Z', '2026-06-15T12:00:00.000Z'];
const zones = ['UTC', 'Europe/Berlin', 'europe/paris', 'Asia/Kolkata', 'Asia/Calcutta', 'America/New_York'];
const languages = ['en', 'de', 'pt-BR'];
const at = { line: 1, column: 1 };

const someText = fc.constantFrom(...texts);
const text = fc.oneof(
  someText,
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((one) => !one.includes('\0')),
);

export const users: fc.Arbitrary<readonly MadeUser[]> = fc
  .array(
    fc.record({
      createdAt: fc.integer({ min: 0, max: 40 * 24 }).map((hours) => NOW - hours * 3_600_000),
      lastSeenAt: fc.option(fc.integer({ min: -48, max: 40 * 24 }).map((hours) => NOW - hours * 3_600_000)),
      followerCount: fc.constantFrom(0, 1, 42),
      settings: fc.option(
        fc.record({
          language: fc.option(fc.constantFrom(...languages)),
          timezone: fc.constantFrom(...zones),
        }),
      ),
      devices: fc.uniqueArray(
        fc.record({ platform: fc.constantFrom('ios', 'android', 'web'), isActive: fc.boolean() }),
        { maxLength: 2, selector: ({ platform }) => platform },
      ),
      attributes: fc.record(
        {
          plan: someText,
          constructor: someText,
          score: fc.constantFrom(...numbers),
          active: fc.boolean(),
          since: fc.constantFrom(...instants),
          tags: fc.array(someText, { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
    }),
    { minLength: 30, maxLength: 60 },
  )
  .map((made) => made.map((user, index) => ({ userId: `user-${index}`, ...user })));

const literal = {
  string: text.map((value): Literal => ({ kind: 'string', value, at })),
  number: fc
    .oneof(fc.constantFrom(...numbers), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((value): Literal => ({ kind: 'number', value: value === 0 ? 0 : value, at })),
  boolean: fc.boolean().map((value): Literal => ({ kind: 'boolean', value, at })),
  datetime: fc.oneof(
    fc.constantFrom(...instants).map((value): Literal => ({ kind: 'instant', value, at })),
    fc
      .record({
        sign: fc.constantFrom(1 as const, -1 as const),
        amount: fc.oneof(fc.constantFrom(1, 7, 168), fc.integer({ min: 1, max: 999_999 })),
        unit: fc.constantFrom(...(Object.keys(UNITS) as (keyof typeof UNITS)[])),
      })
      .map((parts): Literal => ({ kind: 'now', ...parts, at })),
    fc.constant<Literal>({ kind: 'now', sign: 1, amount: 0, unit: 's', at }),
  ),
};

const fromList = (values: readonly string[]) =>
  fc.constantFrom(...values).map((value): Literal => ({ kind: 'string', value, at }));

/** What can be asked about, with values that are worth asking for. */
const subjects: readonly (readonly [name: string, value: fc.Arbitrary<Literal>, isOrdered: boolean])[] = [
  ['plan', literal.string, true],
  ['constructor', literal.string, true],
  ['score', literal.number, true],
  ['active', literal.boolean, false],
  ['since', literal.datetime, true],
  ['userId', fromList(['user-0', 'user-7', 'nobody']), true],
  ['language', fromList(languages), true],
  ['timezone', fromList(zones), true],
  ['country', fromList(['DE', 'FR', 'IN', 'US', 'XX']), true],
  [
    'lastSeenDays',
    fc.integer({ min: -1, max: 40 }).map((value): Literal => ({ kind: 'number', value, at })),
    true,
  ],
  [
    'createdDays',
    fc.integer({ min: 0, max: 40 }).map((value): Literal => ({ kind: 'number', value, at })),
    true,
  ],
  ['followerCount', literal.number, true],
];

const predicate: fc.Arbitrary<Filter> = fc.oneof(
  ...subjects.map(([name, value, isOrdered]) =>
    fc.oneof(
      fc.record({
        kind: fc.constant('compare' as const),
        name: fc.constant(name),
        at: fc.constant(at),
        comparison: fc.constantFrom<Comparison>(...(isOrdered ? comparisons : (['=', '!='] as const))),
        value,
      }),
      fc.record({
        kind: fc.constant('in' as const),
        name: fc.constant(name),
        at: fc.constant(at),
        values: fc.array(value, { minLength: 1, maxLength: 4 }),
      }),
      fc.constant<Filter>({ kind: 'exists', name, at }),
    ),
  ),
  literal.string.map((value): Filter => ({ kind: 'contains', name: 'tags', value, at })),
  fc.constant<Filter>({ kind: 'exists', name: 'tags', at }),
  fromList(['IOS', 'ANDROID', 'WEB']).map(
    (argument): Filter => ({ kind: 'call', name: 'hasDevice', argument, at }),
  ),
);

const anyFilter = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: predicate, weight: 3 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('and' as const, 'or' as const),
          fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
        )
        .map(([kind, parts]) => join(kind, parts)),
      weight: 2,
    },
    { arbitrary: tie('filter').map((part): Filter => ({ kind: 'not', part })), weight: 1 },
  ),
})).filter;

/** Filters as the parser makes them: flat, of right types, and of 50 questions at most. */
export const filters: fc.Arbitrary<Filter> = anyFilter.filter((made) => predicatesOf(made).length <= 50);

const isKnown = (value: unknown): boolean => value !== undefined && value !== null;

function valueAt(user: MadeUser, name: string): unknown {
  const daysSince = (moment: number | null) =>
    moment === null ? undefined : Math.max(0, Math.floor((NOW - moment) / DAY));
  const timezone = user.settings?.timezone ?? 'UTC';
  const builtIns: Record<string, unknown> = {
    userId: user.userId,
    language: user.settings?.language,
    timezone,
    country: countryOf(timezone),
    lastSeenDays: daysSince(user.lastSeenAt),
    createdDays: daysSince(user.createdAt),
    followerCount: user.followerCount,
  };
  if (Object.hasOwn(builtIns, name)) return builtIns[name];
  return Object.hasOwn(user.attributes, name) ? user.attributes[name] : undefined;
}

function given(literal: Literal): unknown {
  if (literal.kind !== 'now') return literal.value;
  const moment = NOW + literal.sign * literal.amount * UNITS[literal.unit];
  const [first, last] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  return new Date(Math.min(Math.max(moment, first), last)).toISOString();
}

/** Below 0, 0 or above 0; texts by their code points. */
function order(one: unknown, other: unknown): number {
  if (typeof one !== 'string') return Number(one) - Number(other);
  const [left, right] = [Array.from(one), Array.from(String(other))];
  for (let n = 0; n < Math.min(left.length, right.length); n += 1) {
    const difference = left[n]!.codePointAt(0)! - right[n]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** What a filter means, written down a second time: what the SQL is held against. */
export function matches(filter: Filter, user: MadeUser): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, user));
    case 'or':
      return filter.parts.some((part) => matches(part, user));
    case 'not':
      return !matches(filter.part, user);
    case 'call': {
      const platform = String(given(filter.argument)).toLowerCase();
      return user.devices.some((device) => device.isActive && device.platform === platform);
    }
    default: {
      const value = valueAt(user, filter.name);
      if (!isKnown(value)) return false;
      if (filter.kind === 'exists') return true;
      if (filter.kind === 'contains') return (value as string[]).includes(String(given(filter.value)));
      if (filter.kind === 'in') return filter.values.some((one) => given(one) === value);
      const difference = order(value, given(filter.value));
      const holds: Record<Comparison, boolean> = {
        '=': difference === 0,
        '!=': difference !== 0,
        '<': difference < 0,
        '<=': difference <= 0,
        '>': difference > 0,
        '>=': difference >= 0,
      };
      return holds[filter.comparison];
    }
  }
}
