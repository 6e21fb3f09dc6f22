import { type AttributeType, type AttributeTypes, type BuiltIn, isBuiltIn } from './attribute-types.js';
import { typeOf } from './check-types.js';
import { compareTexts } from './compare.js';
import { zonesOf } from './countries.js';
import type { Comparison, Filter, Literal, Predicate } from './filter.js';
import { printFilter } from './print.js';
import { instantAt } from './read-literal.js';

/** A condition in SQL whose text holds nothing that a caller wrote: names and values are its parameters. */
export interface Condition {
  /** Its parameters are `$first`, `$first+1`, … */
  from(first: number): string;
  readonly values: readonly unknown[];
}

/** What a filter is compiled with. */
export interface CompileOptions {
  /** It has a type for each name in the filter: `checkTypes` found no fault. */
  readonly attributes: AttributeTypes;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Collects parameters; each gets the next number. */
export function createParameters() {
  const values: unknown[] = [];
  return {
    add(value: unknown, type: string): string {
      values.push(value);
      return `$${values.length}::${type}`;
    },
    conditionOf: (text: string): Condition => ({
      from: (first) => text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + first - 1}`),
      values,
    }),
  };
}

type Parameters = ReturnType<typeof createParameters>;

/**
 * Compiles a filter that was type-checked to a condition over a row `u` of the audience (audience.sql). Each question is true or
 * false, and never NULL: false about what a user does not have.
 */
export function compileFilter(filter: Filter, options: CompileOptions): Condition {
  const parameters = createParameters();
  return parameters.conditionOf(textOf(filter, options, parameters));
}

function textOf(filter: Filter, options: CompileOptions, parameters: Parameters): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${distinct(filter.parts)
        .map((part) => textOf(part, options, parameters))
        .join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'not':
      return `(NOT ${textOf(filter.part, options, parameters)})`;
    case 'call':
      return deviceCondition(filter.argument, parameters);
    default: {
      const { name } = filter;
      if (!isBuiltIn(name)) return attributeCondition(filter, options, parameters);
      if (name === 'country') return countryCondition(filter, parameters);
      return columnCondition(filter, name, options, parameters);
    }
  }
}

/** What is asked twice is asked once. */
const distinct = (parts: readonly Filter[]): readonly Filter[] => [
  ...new Map(parts.map((part) => [printFilter(part), part])).values(),
];

type Question = Exclude<Predicate, { kind: 'call' }>;

const SIGNS: Readonly<Record<Comparison, string>> = {
  '=': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

const orFalse = (condition: string): string => `coalesce(${condition}, false)`;

/** A limit, so that it is looked up for each user: EXISTS may be answered out of a hash of the whole table. */
function deviceCondition(argument: Literal, parameters: Parameters): string {
  const platform = parameters.add(String(storedValue(argument, 0)).toLowerCase(), 'text');
  return `((SELECT true FROM user_devices d WHERE d.user_id = u.user_id AND d.is_active AND d.platform = ${platform} LIMIT 1) IS NOT NULL)`;
}

/** Zones that are in one of the countries: a table of the process, since Postgres has none. */
function countryCondition(question: Question, parameters: Parameters): string {
  const passes = countryTest(question);
  return orFalse(`lower(u.timezone) = ANY (${parameters.add(zonesOf(passes), 'text[]')})`);
}

function countryTest(question: Question): (country: string) => boolean {
  switch (question.kind) {
    case 'compare': {
      const wanted = String(storedValue(question.value, 0));
      return (country) => compareTexts(country, question.comparison, wanted);
    }
    case 'in': {
      const wanted = new Set(question.values.map((value) => String(storedValue(value, 0))));
      return (country) => wanted.has(country);
    }
    case 'exists':
      return () => true;
    case 'contains':
      throw new TypeError('a country is no list');
    default:
      return question satisfies never;
  }
}

/** Whole days since a moment, as of now; none where the moment is ahead, NULL where there was none. */
const daysSince = (column: string, now: string): string =>
  `CASE WHEN ${column} IS NOT NULL THEN greatest(floor(extract(epoch FROM (${now} - ${column})) / 86400), 0) END`;

function columnOf(name: Exclude<BuiltIn, 'country'>, now: number, parameters: Parameters): string {
  const moment = (): string => parameters.add(new Date(now), 'timestamptz');
  switch (name) {
    case 'userId':
      return 'u.user_id';
    case 'language':
      return 'u.language';
    case 'timezone':
      return 'u.timezone';
    case 'followerCount':
      return 'u.follower_count';
    case 'lastSeenDays':
      return daysSince('u.last_seen_at', moment());
    case 'createdDays':
      return daysSince('u.created_at', moment());
    default:
      return name satisfies never;
  }
}

function columnCondition(
  question: Question,
  name: Exclude<BuiltIn, 'country'>,
  { attributes, now }: CompileOptions,
  parameters: Parameters,
): string {
  const isText = typeOf(name, attributes) === 'string';
  const column = columnOf(name, now, parameters);
  const value = isText ? `(${column})::text COLLATE "C"` : `(${column})::numeric`;
  const type = isText ? 'text' : 'numeric';
  switch (question.kind) {
    case 'compare': {
      const wanted = parameters.add(storedValue(question.value, now), type);
      return orFalse(`${value} ${SIGNS[question.comparison]} ${wanted}`);
    }
    case 'in': {
      const wanted = question.values.map((literal) => storedValue(literal, now));
      return orFalse(`${value} = ANY (${parameters.add(wanted, `${type}[]`)})`);
    }
    case 'exists':
      return `((${column}) IS NOT NULL)`;
    case 'contains':
      throw new TypeError(`${name} is no list`);
    default:
      return question satisfies never;
  }
}

function attributeCondition(
  question: Question,
  { attributes, now }: CompileOptions,
  parameters: Parameters,
): string {
  const { name } = question;
  const type = attributes.get(name)!;
  const json = (value: unknown): string => parameters.add(JSON.stringify(value), 'jsonb');
  const isThere = (): string => `u.attributes ? ${parameters.add(name, 'text')}`;
  switch (question.kind) {
    case 'exists':
      return orFalse(isThere());
    case 'contains':
      return orFalse(`u.attributes @> ${json({ [name]: [storedValue(question.value, now)] })}`);
    case 'in': {
      const wanted = question.values.map((literal) => JSON.stringify(storedValue(literal, now)));
      const value = `u.attributes -> ${parameters.add(name, 'text')}`;
      return orFalse(`(${value}) = ANY (${parameters.add(wanted, 'jsonb[]')})`);
    }
    case 'compare': {
      const value = storedValue(question.value, now);
      if (question.comparison === '=') return orFalse(`u.attributes @> ${json({ [name]: value })}`);
      if (question.comparison === '!=')
        return orFalse(`${isThere()} AND NOT u.attributes @> ${json({ [name]: value })}`);
      return orFalse(orderCondition(name, type, question.comparison, value, parameters));
    }
    default:
      return question satisfies never;
  }
}

/** Instants are stored as texts in whose order they are. */
function orderCondition(
  name: string,
  type: AttributeType,
  comparison: Comparison,
  value: string | number | boolean,
  parameters: Parameters,
): string {
  const key = parameters.add(name, 'text');
  return type === 'number'
    ? `(u.attributes -> ${key}) ${SIGNS[comparison]} ${parameters.add(JSON.stringify(value), 'jsonb')}`
    : `(u.attributes ->> ${key}) COLLATE "C" ${SIGNS[comparison]} ${parameters.add(value, 'text')}`;
}

/** A value as attributes hold it. */
export function storedValue(literal: Literal, now: number): string | number | boolean {
  switch (literal.kind) {
    case 'string':
    case 'number':
    case 'boolean':
      return literal.value;
    case 'instant':
    case 'now':
      return instantAt(literal, now);
    default:
      return literal satisfies never;
  }
}
