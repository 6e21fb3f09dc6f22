/** A text of a template, or of a partial that it renders. */
export interface Source {
  readonly text: string;
  /** The partial's name; null for the template itself. */
  readonly partial: string | null;
}

/** Something is wrong with a template at a place of its text. */
export class LiquidFault extends Error {
  constructor(
    readonly why: string,
    readonly source: Source,
    readonly offset: number,
  ) {
    super(`${why} (${placeOf(source, offset)})`);
  }
}

/** `line 3, column 7`, both from 1 on, and of which partial. */
export function placeOf({ text, partial }: Source, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return `${partial === null ? '' : `partial ${partial}, `}line ${line}, column ${column}`;
}
