import { hasAtMost, isStorable } from '../../../platform/text.js';

/** What is written as it is. */
export type Scalar = string | number | boolean;
/** An object of a list, or by itself: nothing is nested in it. */
export type FlatObject = Readonly<Record<string, Scalar | null>>;
/** The value of one variable. Plain templates take texts and numbers alone. */
export type VariableValue = Scalar | FlatObject | readonly (Scalar | FlatObject)[];
export type Variables = Readonly<Record<string, VariableValue>>;

export const variableTypes = ['string', 'number', 'boolean', 'list', 'object'] as const;
export type VariableType = (typeof variableTypes)[number];

/** Items of one list. */
export const MAX_ITEMS = 100;
/** Members of one object. */
const MAX_MEMBERS = 50;
const MAX_MEMBER_NAME = 64;

/** A value's type, as templates declare it. */
export const typeOfValue = (value: VariableValue): VariableType =>
  typeof value === 'object' ? (Array.isArray(value) ? 'list' : 'object') : (typeof value as VariableType);

/** Whether something can be the value of a variable. It looks no deeper than two levels. */
export const isVariableValue = (value: unknown): value is VariableValue =>
  isScalar(value) ||
  isFlatObject(value) ||
  (Array.isArray(value) &&
    value.length <= MAX_ITEMS &&
    value.every((item) => isScalar(item) || isFlatObject(item)));

/** What such a value must be, for messages. */
export const VALUE_RULE = `A variable is a text, a number, true or false, an object of at most ${MAX_MEMBERS} of these, or a list of at most ${MAX_ITEMS} of all these`;

/** Whether a plain template can write it. */
export const isPlainValue = (value: VariableValue): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Own members only: `{{constructor}}` is a variable like any other. */
export const givenValue = (given: Variables, name: string): VariableValue | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined;

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && isStorable(value));

function isFlatObject(value: unknown): value is FlatObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const members = Object.entries(value);
  return (
    members.length <= MAX_MEMBERS &&
    members.every(
      ([name, member]) =>
        hasAtMost(name, MAX_MEMBER_NAME) && isStorable(name) && (member === null || isScalar(member)),
    )
  );
}

/** The names of a template's variables, each with its place among their values. */
export function createPlaces(): {
  readonly names: readonly string[];
  readonly placeOf: (name: string) => number;
} {
  const names: string[] = [];
  const places = new Map<string, number>();
  return {
    names,
    placeOf(name) {
      const place = places.get(name) ?? names.push(name) - 1;
      places.set(name, place);
      return place;
    },
  };
}
