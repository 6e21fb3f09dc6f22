import type { ValueToken } from 'liquidjs';
import { compileDate } from './dates.js';
import { pluralOf } from './plurals.js';
import type { LiquidFault } from './position.js';
import { type Read, type Run, spendOn } from './run.js';
import { isTruthy, toText } from './values.js';

/** A filter as the tokenizer reads it. */
export interface FilterToken {
  readonly name: string;
  readonly args: readonly (ValueToken | [string?, ValueToken?])[];
}

interface Filter {
  /** How many arguments it takes, at least and at most. */
  readonly takes: readonly [least: number, most: number];
  readonly apply: (value: unknown, args: readonly unknown[], run: Run) => unknown;
}

const ofText = (apply: (text: string) => unknown): Filter => ({
  takes: [0, 0],
  apply: (value) => apply(toText(value)),
});
const ofNumbers = (apply: (value: number, other: number) => number): Filter => ({
  takes: [1, 1],
  apply: (value, [other]) => finite(apply(toNumber(value), toNumber(other))),
});

/** What templates may do with a value. None makes it longer than itself and its arguments. */
const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['upcase', ofText((text) => text.toUpperCase())],
  ['downcase', ofText((text) => text.toLowerCase())],
  ['capitalize', ofText((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase())],
  ['strip', ofText((text) => text.trim())],
  ['truncate', { takes: [0, 2], apply: truncate }],
  ['default', { takes: [1, 1], apply: (value, [other]) => (isVoid(value) ? other : value) }],
  ['size', { takes: [0, 0], apply: (value) => (hasSize(value) ? value.length : 0) }],
  ['first', { takes: [0, 0], apply: (value) => (hasSize(value) ? value.at(0) : '') }],
  ['last', { takes: [0, 0], apply: (value) => (hasSize(value) ? value.at(-1) : '') }],
  ['join', { takes: [0, 1], apply: join }],
  ['plus', ofNumbers((value, other) => value + other)],
  ['minus', ofNumbers((value, other) => value - other)],
  ['times', ofNumbers((value, other) => value * other)],
  ['divided_by', ofNumbers((value, other) => value / other)],
  ['round', { takes: [0, 1], apply: round }],
  [
    'pluralize',
    { takes: [2, 2], apply: (value, [one, other], run) => pluralOf(toNumber(value), one, other, run) },
  ],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ...['escape', 'escape_once', 'h', 'url_encode'].map(
    (name) => [name, 'values are escaped for their place already'] as const,
  ),
  ['raw', 'values are always escaped for their place'],
]);

/**
 * A value after one filter.
 *
 * @throws what `fault` makes, where there is no such filter, or it takes other arguments
 */
export function compileFilter(
  { name, args }: FilterToken,
  read: Read,
  compileValue: (token: ValueToken) => Read,
  fault: (why: string) => LiquidFault,
): Read {
  const values = args.map((arg) => {
    if (Array.isArray(arg)) throw fault(`${name} takes no arguments by name`);
    return arg;
  });
  if (name === 'date') return compileDate(values, read, fault);
  const filter = FILTERS.get(name);
  if (!filter) {
    const hint = HINTS.get(name) ?? `there are ${[...FILTERS.keys(), 'date'].join(', ')}`;
    throw fault(`There is no filter ${name.slice(0, 64)}: ${hint}`);
  }
  const [least, most] = filter.takes;
  if (values.length < least || values.length > most) {
    throw fault(`${name} takes ${least === most ? most : `${least} to ${most}`} arguments`);
  }
  const reads = values.map(compileValue);
  return (run) => {
    const value = read(run);
    const own = reads.map((one) => one(run));
    // Before it works, so that a long text cannot be worked on again and again.
    for (const one of [value, ...own]) spendOn(run, lengthOf(one));
    return run.work < 0 ? '' : filter.apply(value, own, run);
  };
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : Array.isArray(value) ? toText(value).length : 0;

const toNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? finite(Number(value)) : 0;

/** What is no number is written as 0. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

const hasSize = (value: unknown): value is string | readonly unknown[] =>
  typeof value === 'string' || Array.isArray(value);

const isVoid = (value: unknown): boolean => !isTruthy(value) || (hasSize(value) && value.length === 0);

function truncate(value: unknown, [length = 50, end = '...']: readonly unknown[]): string {
  const text = toText(value);
  const most = toNumber(length);
  if (text.length <= most) return text;
  const ellipsis = toText(end);
  return (text.slice(0, Math.max(0, most - ellipsis.length)) + ellipsis).toWellFormed();
}

function join(value: unknown, [separator = ' ']: readonly unknown[]): string {
  return (Array.isArray(value) ? value : [value]).map(toText).join(toText(separator));
}

function round(value: unknown, [digits = 0]: readonly unknown[]): number {
  const power = 10 ** Math.min(10, Math.max(0, Math.trunc(toNumber(digits))));
  return finite(Math.round(toNumber(value) * power * (1 + Number.EPSILON)) / power);
}
