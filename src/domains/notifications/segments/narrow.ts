import { isBuiltIn } from './attribute-types.js';
import { type Condition, createParameters, storedValue } from './compile.js';
import type { Filter, Literal, Predicate } from './filter.js';

/** Users among whom are all that match a filter, as an index finds them. */
export interface Narrowing extends Condition {
  /** Of whose row `i` the condition is. */
  readonly table: 'users' | 'user_attributes';
}

/** Questions, one of which is true of everybody who matches. */
type Alternatives =
  | { readonly table: 'users'; readonly userIds: readonly string[] }
  /** Objects in JSON of which the attributes contain one. */
  | { readonly table: 'user_attributes'; readonly contained: readonly string[] };

/**
 * What narrows the users down by an index: ids that are named, or the values of attributes that must be there. Null where each user
 * has to be looked at.
 *
 * @param now milliseconds since the epoch
 */
export function narrow(filter: Filter, now: number): Narrowing | null {
  const found = necessary(filter, now);
  const ids = found.find((one) => one.table === 'users');
  const parameters = createParameters();
  if (ids) {
    const condition = `i.user_id = ANY (${parameters.add(ids.userIds, 'text[]')})`;
    return { table: 'users', ...parameters.conditionOf(condition) };
  }
  const conditions = found.flatMap((one) =>
    one.table === 'user_attributes'
      ? [`i.attributes @> ANY (${parameters.add(one.contained, 'jsonb[]')})`]
      : [],
  );
  if (conditions.length === 0) return null;
  return { table: 'user_attributes', ...parameters.conditionOf(conditions.join(' AND ')) };
}

/** Everything that must be so for the filter to match. */
function necessary(filter: Filter, now: number): readonly Alternatives[] {
  switch (filter.kind) {
    case 'and':
      return filter.parts.flatMap((part) => necessary(part, now));
    case 'or':
      return oneOfEach(filter.parts.map((part) => necessary(part, now)));
    case 'not':
    case 'exists':
    case 'call':
      return [];
    case 'compare':
      return filter.comparison === '=' ? equalsOneOf(filter, [filter.value], now) : [];
    case 'in':
      return equalsOneOf(filter, filter.values, now);
    case 'contains':
      return [containing([{ [filter.name]: [storedValue(filter.value, now)] }])];
    default:
      return filter satisfies never;
  }
}

const containing = (objects: readonly object[]): Alternatives => ({
  table: 'user_attributes',
  contained: objects.map((one) => JSON.stringify(one)),
});

function equalsOneOf({ name }: Predicate, literals: readonly Literal[], now: number): Alternatives[] {
  const values = literals.map((literal) => storedValue(literal, now));
  if (name === 'userId') return [{ table: 'users', userIds: values.map(String) }];
  return isBuiltIn(name) ? [] : [containing(values.map((value) => ({ [name]: value })))];
}

/** Of an `or`, where each part has something that must be so, in one table: one thing of each part, of which one must be so. */
function oneOfEach(parts: readonly (readonly Alternatives[])[]): readonly Alternatives[] {
  const attributes = parts.map((part) => part.find((one) => one.table === 'user_attributes'));
  if (attributes.every((one) => one !== undefined))
    return [{ table: 'user_attributes', contained: attributes.flatMap((one) => one.contained) }];
  const ids = parts.map((part) => part.find((one) => one.table === 'users'));
  if (ids.every((one) => one !== undefined))
    return [{ table: 'users', userIds: ids.flatMap((one) => one.userIds) }];
  return [];
}
