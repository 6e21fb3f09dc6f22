import type { Filter, Literal } from './filter.js';

/**
 * The canonical text of a filter, which parses to the same filter again: one space between words, keywords in lower case, no
 * parentheses that change nothing, one form for each value.
 */
export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
      return filter.parts
        .map((part) => (part.kind === 'or' ? `(${printFilter(part)})` : printFilter(part)))
        .join(' and ');
    case 'or':
      return filter.parts.map(printFilter).join(' or ');
    case 'not':
      return filter.part.kind === 'not'
        ? `not ${printFilter(filter.part)}`
        : `not (${printFilter(filter.part)})`;
    case 'compare':
      return `${filter.name} ${filter.comparison} ${printLiteral(filter.value)}`;
    case 'in':
      return `${filter.name} in (${filter.values.map(printLiteral).join(', ')})`;
    case 'contains':
      return `${filter.name} contains ${printLiteral(filter.value)}`;
    case 'exists':
      return `${filter.name} exists`;
    case 'call':
      return `${filter.name}(${printLiteral(filter.argument)})`;
    default:
      return filter satisfies never;
  }
}

function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'string':
    case 'number':
    case 'boolean':
      return JSON.stringify(literal.value);
    case 'instant':
      return literal.value.replace(/T00:00:00\.000Z$/, '').replace(/\.000Z$/, 'Z');
    case 'now':
      if (literal.amount === 0) return 'now()';
      return `now() ${literal.sign === 1 ? '+' : '-'} ${literal.amount}${literal.unit}`;
    default:
      return literal satisfies never;
  }
}
