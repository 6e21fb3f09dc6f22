import type { Block } from './nodes.js';
import { perform, type Read, type Run, spendOnEach, stop } from './run.js';
import { equals, isTruthy } from './values.js';

type Render = Block['render'];

/** Of one loop. */
export const MAX_ITERATIONS = 1_000;

/** Renders nothing. */
export const renderNothing: Render = () => true;

/** The first part whose test holds; null holds always. */
export const renderFirst =
  (tests: readonly (Read | null)[]): Render =>
  (run, parts) => {
    const chosen = tests.findIndex((test) => test === null || isTruthy(test(run)));
    return chosen < 0 || perform(parts[chosen]!, run);
  };

/** Whether a value is one of several. */
export const isOneOf =
  (value: Read, others: readonly Read[]): Read =>
  (run) => {
    spendOnEach(run, others.length);
    const looked = value(run);
    return others.some((other) => equals(looked, other(run), run));
  };

/** What a loop runs over, and where it puts what it has. */
export interface Loop {
  readonly items: Items;
  readonly offset: Read | null;
  readonly limit: Read | null;
  readonly isReversed: boolean;
  /** Places among the locals. */
  readonly item: number;
  readonly index: number;
  readonly length: number;
}

/** A list, or the whole numbers from one to another. */
export type Items = { readonly list: Read } | { readonly from: Read; readonly to: Read };

/** The first part for each item; the second, where there is one, where there are no items. */
export const renderEach =
  (loop: Loop): Render =>
  (run, [body, otherwise]) => {
    const { count, at } = itemsOf(loop.items, run);
    const offset = loop.offset ? Math.min(count, wholeNumber(loop.offset(run), 0)) : 0;
    const length = Math.min(count - offset, loop.limit ? wholeNumber(loop.limit(run), count) : count);
    if (length <= 0) return !otherwise || perform(otherwise, run);
    if (length > MAX_ITERATIONS) return stop(run, 'TEMPLATE_LIMIT');
    run.locals[loop.length] = length;
    for (let index = 0; index < length; index += 1) {
      run.locals[loop.index] = index;
      run.locals[loop.item] = at(offset + (loop.isReversed ? length - 1 - index : index));
      // Counted also where the body is empty.
      run.work -= 1;
      if (run.work < 0) return stop(run, 'TEMPLATE_LIMIT');
      if (!perform(body!, run)) return false;
    }
    return true;
  };

function itemsOf(
  items: Items,
  run: Run,
): { readonly count: number; readonly at: (index: number) => unknown } {
  if ('list' in items) {
    const list = items.list(run);
    return Array.isArray(list)
      ? { count: list.length, at: (index) => list[index] }
      : { count: 0, at: () => null };
  }
  const [from, to] = [wholeNumber(items.from(run), null), wholeNumber(items.to(run), null)];
  if (from === null || to === null || to < from) return { count: 0, at: () => null };
  return { count: to - from + 1, at: (index) => from + index };
}

/** Counts and ends of ranges; below 0 an offset or a limit is 0. */
function wholeNumber(value: unknown, otherwise: number): number;
function wholeNumber(value: unknown, otherwise: null): number | null;
function wholeNumber(value: unknown, otherwise: number | null): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(Math.trunc(number))) return otherwise;
  return otherwise === null ? Math.trunc(number) : Math.max(0, Math.trunc(number));
}

/** The only part, with what it is called with. */
export const renderWith =
  (parameters: readonly { readonly place: number; readonly read: Read }[]): Render =>
  (run, [body]) => {
    spendOnEach(run, parameters.length);
    const values = parameters.map(({ read }) => read(run));
    parameters.forEach(({ place }, n) => {
      run.locals[place] = values[n];
    });
    return perform(body!, run);
  };
