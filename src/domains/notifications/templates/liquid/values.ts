import { type Run, spendOn } from './run.js';

/** What `empty` and `blank` are: nothing is the same as they are but what they say. */
export const EMPTY = Symbol('empty');
export const BLANK = Symbol('blank');

/** A value as it is written. Lists are written one item after the other, objects not at all. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map((item) => (Array.isArray(item) ? '' : toText(item))).join('') : '';
}

/** Only what is not there and `false` are false: 0 and an empty text are true, as everywhere in Liquid. */
export const isTruthy = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** A member of an object, an item of a list, `size`, `first` or `last`. Own members only: nothing of JavaScript's can be reached. */
export function memberOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    if (typeof key === 'number') return value.at(key);
    if (key === 'size') return value.length;
    return key === 'first' ? value[0] : key === 'last' ? value.at(-1) : undefined;
  }
  if (typeof value === 'string') return key === 'size' ? value.length : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof key !== 'string' && typeof key !== 'number') return undefined;
  if (Object.hasOwn(value, key)) return (value as Readonly<Record<string | number, unknown>>)[key];
  return key === 'size' ? Object.keys(value).length : undefined;
}

/** What the operators of conditions do with two values. */
export const operators: Readonly<Record<string, (left: unknown, right: unknown, run: Run) => boolean>> = {
  '==': equals,
  '!=': (left, right, run) => !equals(left, right, run),
  '<': (left, right, run) => order(left, right, run) < 0,
  '<=': (left, right, run) => order(left, right, run) <= 0,
  '>': (left, right, run) => order(left, right, run) > 0,
  '>=': (left, right, run) => order(left, right, run) >= 0,
  contains,
};

export function equals(left: unknown, right: unknown, run: Run): boolean {
  if (typeof right === 'symbol') return isLike(left, right, run);
  if (typeof left === 'symbol') return isLike(right, left, run);
  if (typeof left === 'string') spendOn(run, left.length);
  return (left ?? null) === (right ?? null);
}

/** Numbers with numbers, texts with texts: whatever else is neither more nor less, nor the same. */
function order(left: unknown, right: unknown, run: Run): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN;
  spendOn(run, left.length);
  return left < right ? -1 : left > right ? 1 : 0;
}

function contains(left: unknown, right: unknown, run: Run): boolean {
  if (Array.isArray(left)) {
    spendOn(run, left.length << 6);
    return left.some((item) => equals(item, right, run));
  }
  if (typeof left !== 'string' || (typeof right !== 'string' && typeof right !== 'number')) return false;
  spendOn(run, left.length);
  return left.includes(String(right));
}

function isLike(value: unknown, what: symbol, run: Run): boolean {
  if (typeof value === 'symbol') return false;
  if (typeof value === 'string') spendOn(run, value.length);
  if (what === BLANK && (value === undefined || value === null || value === false)) return true;
  if (typeof value === 'string') return what === BLANK ? value.trim() === '' : value === '';
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
