import type { Variables } from '../templates/variables.js';
import type { People } from './wording.js';

const KEY = '$people';

/**
 * Whom a delivery that sums a group up is about, as its variables keep it for its fallback: how that says it depends on the language of
 * its text. No producer can give a variable such a value: nothing is nested in an object.
 */
export const keepPeople = (people: People): Readonly<Record<typeof KEY, People>> => ({ [KEY]: people });

/** What was kept so, and the variables without it. */
export function keptPeople(stored: Variables): { readonly variables: Variables; readonly people?: People } {
  if (!Object.hasOwn(stored, KEY)) return { variables: stored };
  const { [KEY]: kept, ...variables } = stored as Readonly<Record<string, unknown>>;
  return isPeople(kept) ? { variables: variables as Variables, people: kept } : { variables: stored };
}

const isPeople = (value: unknown): value is People =>
  typeof value === 'object' && value !== null && 'names' in value && Array.isArray(value.names);
