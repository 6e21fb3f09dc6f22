import type { ExecutionResult } from 'graphql';

/**
 * What the values that errors made null had cost at most, beyond the 1 that each null counts in an answer: how much of that
 * was read before the error nobody knows. An error without a path may have ended anything, and costs `whole`.
 *
 * @param costAt see `costAt` of cost.ts
 */
export function nulledCost(
  { data, errors = [] }: ExecutionResult,
  whole: number,
  costAt: (keys: readonly string[], isItem: boolean) => number,
): number {
  if (data == null) return whole;
  const known = new Map<string, number>();
  const seen = new Set<string>();
  let cost = 0;
  for (const { path } of errors) {
    if (!path) return whole;
    const nulled = path.slice(0, lengthToNull(data, path));
    const place = nulled.join('/');
    if (seen.has(place)) continue;
    seen.add(place);
    const keys = nulled.filter((key) => typeof key === 'string');
    const isItem = typeof nulled.at(-1) === 'number';
    const kind = `${keys.join('/')} ${isItem}`;
    const each = known.get(kind) ?? Math.max(0, costAt(keys, isItem) - 1);
    known.set(kind, each);
    cost += each;
  }
  return cost;
}

/** How much of an error's path leads to the null that it made: of a field that cannot be null, to one above it. */
function lengthToNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data;
  for (const [index, key] of path.entries()) {
    value = (value as Record<string | number, unknown>)[key];
    if (value == null) return index + 1;
  }
  return path.length;
}
