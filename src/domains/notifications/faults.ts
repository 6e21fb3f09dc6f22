import type { UserError } from '../../platform/errors.js';

/** So many are reported of a list, or of the members of an object. */
export const MAX_FAULTS = 20;

/** What is wrong with items: the first `MAX_FAULTS` faults. What comes behind them is not looked at: a request has space for a million. */
export function faultsOf<Item>(
  items: Iterable<Item>,
  check: (item: Item, index: number) => readonly UserError[],
): UserError[] {
  const faults: UserError[] = [];
  let index = 0;
  for (const item of items) {
    for (const fault of check(item, index)) faults.push(fault);
    if (faults.length >= MAX_FAULTS) break;
    index += 1;
  }
  return faults.slice(0, MAX_FAULTS);
}
