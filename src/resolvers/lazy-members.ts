/**
 * Objects whose members are made when they are first asked for, and then kept: of dozens, an operation asks for one or two.
 *
 * @returns a function: given how each member is made of a scope, it returns what makes such an object for a scope
 */
export const lazyMembers =
  <Scope>() =>
  <Made extends Record<string, unknown>>(
    makers: {
      readonly [Name in keyof Made]: (scope: Scope) => Made[Name];
    },
  ): ((scope: Scope) => Readonly<Made>) => {
    class Lazy {
      readonly #made: Partial<Made> = {};
      readonly #scope: Scope;

      constructor(scope: Scope) {
        this.#scope = scope;
      }

      static {
        for (const name of Object.keys(makers) as (keyof Made)[])
          Object.defineProperty(Lazy.prototype, name, {
            get(this: Lazy) {
              this.#made[name] ??= makers[name](this.#scope);
              return this.#made[name];
            },
          });
      }
    }
    // The getters are all that the type says.
    return (scope) => new Lazy(scope) as unknown as Readonly<Made>;
  };
