import { isDeepStrictEqual } from 'node:util';
import type { UserError } from '../../../platform/errors.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';
import { faultsOf, MAX_FAULTS } from '../faults.js';
import { checkName } from '../text.js';
import {
  type AttributeType,
  type AttributeTypes,
  isAttributeName,
  isReserved,
  TYPE_NAMES,
} from './attribute-types.js';
import { readInstant } from './instants.js';

/** An attribute's value as it is stored: instants in the form of `readInstant`. */
export type AttributeValue = string | number | boolean | readonly string[];

/** What a user has, by name. */
export type StoredAttributes = Readonly<Record<string, AttributeValue>>;

/** What a caller sets of one user: names to values; null removes. */
export interface UserAttributes {
  readonly userId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** In one call. */
const MAX_USERS = 1_000;
/** Of one user. */
const MAX_ATTRIBUTES = 50;
/** Of all that one user has, in bytes of its JSON. */
const MAX_BYTES = 65_536;
/** In characters. */
const MAX_TEXT = 255;
/** In one list. */
const MAX_TEXTS = 100;

const USERS = ['input', 'users'];
const pathOf = (user: number, name: string): string[] => [...USERS, String(user), 'attributes', name];

/** Faults that do not depend on what is stored: NO_USERS, TOO_MANY_USERS, ID_INVALID, ATTRIBUTE_NAME_INVALID, ATTRIBUTE_VALUE_INVALID. */
export function checkUsers(users: readonly UserAttributes[]): readonly UserError[] {
  if (users.length === 0) return [{ code: 'NO_USERS', message: 'Name a user', path: USERS }];
  if (users.length > MAX_USERS)
    return [{ code: 'TOO_MANY_USERS', message: `At most ${MAX_USERS} users at once`, path: USERS }];
  return faultsOf(users, ({ userId, attributes }, index) => [
    ...checkName('ID_INVALID', userId, [...USERS, String(index), 'userId']),
    ...faultsOf(Object.entries(attributes), ([name, value]) =>
      checkAttribute(name, value, pathOf(index, name)),
    ),
  ]);
}

function checkAttribute(name: string, value: unknown, path: readonly string[]): readonly UserError[] {
  if (isReserved(name)) {
    const message = `${name} belongs to the filter language`;
    return [{ code: 'ATTRIBUTE_NAME_INVALID', message, path }];
  }
  if (!isAttributeName(name)) {
    const message = 'The name of an attribute is a small letter and then up to 63 letters, digits and _';
    return [{ code: 'ATTRIBUTE_NAME_INVALID', message, path }];
  }
  if (value === null || shapeOf(value) !== undefined) return [];
  const message = `A value is a text of at most ${MAX_TEXT} characters, a number, a boolean, or a list of at most ${MAX_TEXTS} such texts`;
  return [{ code: 'ATTRIBUTE_VALUE_INVALID', message, path }];
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && hasAtMost(value, MAX_TEXT) && isStorable(value);

/** The type of a value by itself; a text may also be an instant. Undefined for what no attribute can be. */
function shapeOf(value: unknown): Exclude<AttributeType, 'datetime'> | undefined {
  if (isText(value)) return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' && Number.isFinite(value)) return 'number';
  const isList = Array.isArray(value) && value.length <= MAX_TEXTS && value.every(isText);
  return isList ? 'strings' : undefined;
}

/** The names that a call gives values, each once, in order. */
export const namesIn = (users: readonly UserAttributes[]): readonly string[] =>
  [...new Set(valuesIn(users).map(({ name }) => name))].sort();

const valuesIn = (users: readonly UserAttributes[]) =>
  users.flatMap(({ attributes }, user) =>
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [{ user, name, value }])),
  );

/**
 * The types that names without one get: that of their first value. They are date-times where all of the call's values are dates or
 * date-times, so that the order of users says nothing.
 */
export function typesOfNew(users: readonly UserAttributes[], known: AttributeTypes): AttributeTypes {
  const found = new Map<string, AttributeType>();
  for (const [name, given] of Map.groupBy(valuesIn(users), ({ name }) => name)) {
    if (known.has(name)) continue;
    const areInstants = given.every(({ value }) => typeof value === 'string' && readInstant(value) !== null);
    found.set(name, areInstants ? 'datetime' : shapeOf(given[0]!.value)!);
  }
  return found;
}

/** ATTRIBUTE_TYPE for each value that is not of its name's type. */
export const checkValues = (users: readonly UserAttributes[], types: AttributeTypes): readonly UserError[] =>
  faultsOf(users, ({ attributes }, index) =>
    faultsOf(Object.entries(attributes), ([name, value]) => {
      if (value === null || storedAs(types.get(name)!, value) !== undefined) return [];
      const type = TYPE_NAMES[types.get(name)!];
      const message = `${name} is ${type} for everybody, and this is ${TYPE_NAMES[shapeOf(value)!]}`;
      return [{ code: 'ATTRIBUTE_TYPE', message, path: pathOf(index, name) }];
    }),
  );

/** A value as it is stored under a type; undefined where it is of another. */
function storedAs(type: AttributeType, value: unknown): AttributeValue | undefined {
  if (type === 'datetime') return (typeof value === 'string' && readInstant(value)) || undefined;
  // JSON has one zero.
  if (type === 'number' && value === 0) return 0;
  return shapeOf(value) === type ? (value as AttributeValue) : undefined;
}

/** What becomes of users, by id: only of those who have something else afterwards. */
export interface Changes {
  readonly faults: readonly UserError[];
  readonly changed: ReadonlyMap<string, StoredAttributes>;
}

/**
 * Merges what a call sets into what users have. Who is named twice gets both, in order. TOO_MANY_ATTRIBUTES where somebody would
 * have more than 50, or more than 64 KiB of them.
 *
 * @param types of all names that are given values, all of their type
 */
export function mergeAttributes(
  users: readonly UserAttributes[],
  stored: ReadonlyMap<string, StoredAttributes>,
  types: AttributeTypes,
): Changes {
  const merged = new Map<string, Map<string, AttributeValue>>();
  const lastOf = new Map<string, number>();
  for (const [index, { userId, attributes }] of users.entries()) {
    const own = merged.get(userId) ?? new Map(Object.entries(stored.get(userId) ?? {}));
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) own.delete(name);
      else own.set(name, storedAs(types.get(name)!, value)!);
    }
    merged.set(userId, own);
    lastOf.set(userId, index);
  }
  const all = [...merged].map(([userId, own]) => [userId, Object.fromEntries(own)] as const);
  const changed = all.filter(([userId, own]) => !isDeepStrictEqual(own, { ...stored.get(userId) }));
  const faults = changed.flatMap(([userId, own]) => {
    const excess = excessOf(own);
    return excess === undefined ? [] : [tooMany(excess, lastOf.get(userId)!)];
  });
  return { faults: faults.slice(0, MAX_FAULTS), changed: new Map(changed) };
}

/** Which bound of one user it would break. */
function excessOf(own: StoredAttributes): string | undefined {
  if (Object.keys(own).length > MAX_ATTRIBUTES) return `A user has at most ${MAX_ATTRIBUTES} attributes`;
  if (Buffer.byteLength(JSON.stringify(own)) > MAX_BYTES)
    return `The attributes of a user have at most ${MAX_BYTES} bytes as JSON`;
  return undefined;
}

const tooMany = (message: string, user: number): UserError => ({
  code: 'TOO_MANY_ATTRIBUTES',
  message,
  path: [...USERS, String(user), 'attributes'],
});
