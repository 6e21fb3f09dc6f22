/** Where something stands in a filter's text; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const comparisons = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof comparisons)[number];

/** How many milliseconds a unit of a duration has. */
export const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
export type Unit = keyof typeof UNITS;

/** A value as it is written. */
export type Literal = Readonly<
  { at: Position } & (
    | { kind: 'string'; value: string }
    | { kind: 'number'; value: number }
    | { kind: 'boolean'; value: boolean }
    /** In the form of `readInstant`. */
    | { kind: 'instant'; value: string }
    /** The moment for which the filter is asked, or one before or after it. */
    | { kind: 'now'; sign: 1 | -1; amount: number; unit: Unit }
  )
>;

/** A question about one attribute. */
export type Predicate = Readonly<
  { name: string; at: Position } & (
    | { kind: 'compare'; comparison: Comparison; value: Literal }
    | { kind: 'in'; values: readonly Literal[] }
    | { kind: 'contains'; value: Literal }
    | { kind: 'exists' }
    /** A name with an argument: `hasDevice("IOS")`. */
    | { kind: 'call'; argument: Literal }
  )
>;

/** A parsed filter. `and` and `or` have two parts or more, none of which is of their own kind. */
export type Filter =
  | Predicate
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter };

/** Several filters as one, flat. */
export function join(kind: 'and' | 'or', parts: readonly Filter[]): Filter {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  return flat.length === 1 ? flat[0]! : { kind, parts: flat };
}

/** Every question that a filter asks, in the order of its text. */
export function predicatesOf(filter: Filter): readonly Predicate[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(predicatesOf);
    case 'not':
      return predicatesOf(filter.part);
    default:
      return [filter];
  }
}

/** The values that a question names. */
export function literalsOf(predicate: Predicate): readonly Literal[] {
  switch (predicate.kind) {
    case 'compare':
    case 'contains':
      return [predicate.value];
    case 'in':
      return predicate.values;
    case 'call':
      return [predicate.argument];
    case 'exists':
      return [];
    default:
      return predicate satisfies never;
  }
}
