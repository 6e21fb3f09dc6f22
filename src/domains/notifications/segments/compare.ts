import type { Comparison } from './filter.js';

/**
 * Whether a comparison holds of two texts in the order of their code points, as Postgres orders UTF-8 under the collation "C".
 * UTF-16, by which JavaScript compares, has some characters in another order.
 */
export function compareTexts(one: string, comparison: Comparison, other: string): boolean {
  const order = Buffer.compare(Buffer.from(one), Buffer.from(other));
  switch (comparison) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return comparison satisfies never;
  }
}
