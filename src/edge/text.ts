import { isStorable } from '../platform/text.js';

/**
 * What is wrong with the text in a value, the names of members included: JSON as it came in, at any depth. Text that
 * is not storable, or a name by which a careless copy would get another prototype. What is neither plain object nor array
 * (a buffer, a date) is not looked into.
 */
export function textFault(value: unknown): string | undefined {
  // A list of what is left to look at, since a client decides how deep a value is.
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') {
      if (!isStorable(next)) return NOT_STORABLE;
    } else if (Array.isArray(next)) {
      for (const item of next) left.push(item);
    } else if (isPlainObject(next)) {
      for (const [name, member] of Object.entries(next)) {
        if (!isStorable(name)) return NOT_STORABLE;
        if (namesPrototype(name, member)) return RESERVED_NAME;
        left.push(member);
      }
    }
  }
  return undefined;
}

const namesPrototype = (name: string, member: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && isPlainObject(member) && Object.hasOwn(member, 'prototype'));

/** Made by a literal or a parser: what parsers of query strings make has an empty prototype of its own. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The error message for such names. */
const RESERVED_NAME = 'No member may be named __proto__, or constructor with a prototype';

/** The error message for text that is not storable. */
export const NOT_STORABLE = 'Text must not hold NUL characters or halves of surrogate pairs';

/** A name as REST has it: GraphQL's `asOf` is `as_of`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
