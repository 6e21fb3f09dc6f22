/** Functions without their first parameter. A generic function loses its type parameters: it becomes one of `unknown`. */
export type Bound<F> = {
  readonly [Name in keyof F]: F[Name] extends (dependencies: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};

/**
 * Gives each function its dependencies, which are its first argument. A domain's index offers its functions this way, each
 * declared once, where it is written:
 *
 *     bind({ log, clock }, { placeOrder, shipOrder }).shipOrder(caller, input)
 */
export function bind<D, F extends Record<string, (dependencies: D, ...args: never[]) => unknown>>(
  dependencies: D,
  functions: F,
): Bound<F> {
  const bound = Object.entries(functions).map(([name, run]) => [name, run.bind(undefined, dependencies)]);
  // The entries are those of `functions`, which Object.fromEntries does not know.
  return Object.fromEntries(bound) as Bound<F>;
}

/** All that these functions take as their first argument, together: what binds them takes the same. */
export type DependenciesOf<F extends Record<string, (dependencies: never, ...args: never[]) => unknown>> =
  F[keyof F] extends (dependencies: infer D, ...args: never[]) => unknown ? D : never;
