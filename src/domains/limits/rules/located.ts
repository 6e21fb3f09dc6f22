/** A document's values, each with the offset at which it begins. */
export type Located = LocatedMap | LocatedList | LocatedScalar;

export interface LocatedMap {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: ReadonlyMap<string, LocatedEntry>;
}

export interface LocatedEntry {
  readonly keyAt: number;
  readonly value: Located;
}

export interface LocatedList {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly Located[];
}

export interface LocatedScalar {
  readonly kind: 'scalar';
  readonly at: number;
  readonly value: unknown;
}

/** What is wrong, at which offset of the document. */
export interface Flaw {
  readonly at: number;
  readonly message: string;
  readonly path: readonly string[];
}

const SHOWN_CHARACTERS = 40;

/** A value as a message shows it: short, on one line, whatever it holds. */
export function shown(located: Located): string {
  if (located.kind !== 'scalar') return located.kind === 'map' ? 'a mapping' : 'a list';
  const { value } = located;
  if (value === null) return 'nothing';
  return typeof value === 'string' ? quoted(value) : clipped(String(value));
}

/** A text as a message shows it, in quotes. */
export const quoted = (text: string): string =>
  `'${clipped(text).replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '\u{fffd}')}'`;

const clipped = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
