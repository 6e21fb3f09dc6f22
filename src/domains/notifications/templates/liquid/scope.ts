/** What a name stands for where it is used. */
export type Binding =
  /** A variable of the template, by its place among them. */
  | { readonly kind: 'global'; readonly place: number }
  /** What a loop or the call of a partial gives, by its place among the locals. */
  | { readonly kind: 'local'; readonly place: number }
  /** `forloop`: the places of how many times it ran before, and of how many times it runs. */
  | { readonly kind: 'loop'; readonly index: number; readonly length: number };

/** The names that are known in a part of a template. */
export interface Scope {
  find(name: string): Binding;
  /** The same names, and some more or others. */
  within(names: ReadonlyMap<string, Binding>): Scope;
  /** None of these names: those of a partial, which knows what it is called with and nothing else. */
  isolated(names: ReadonlyMap<string, Binding>): Scope;
  /** The place of one more local. */
  allocate(): number;
}

/** @param placeOf the place of a variable among a template's values */
export function rootScope(placeOf: (name: string) => number): Scope {
  let locals = 0;
  const make = (find: Scope['find']): Scope => ({
    find,
    within: (names) => make((name) => names.get(name) ?? find(name)),
    isolated: (names) => make((name) => names.get(name) ?? { kind: 'local', place: NOWHERE }),
    allocate: () => locals++,
  });
  return make((name) => ({ kind: 'global', place: placeOf(name) }));
}

/** Nothing is ever put there. */
const NOWHERE = -1;
