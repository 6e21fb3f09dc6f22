const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** A text around its placeholders: one more literal than names, which stand between them in turn. */
export interface Pieces {
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

/** Takes a text apart at its `{{name}}`s. */
export function splitAtPlaceholders(text: string): Pieces {
  const parts = text.split(PLACEHOLDER);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  };
}

/** One placeholder, `[start, end)`, and the unbroken row of them in which it stands. */
export interface Placeholder {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly row: { readonly start: number; end: number };
}

/** The placeholders of a text, in order. */
export function findPlaceholders(text: string): readonly Placeholder[] {
  const found: Placeholder[] = [];
  for (const { 0: placeholder, index: start } of text.matchAll(PLACEHOLDER)) {
    const end = start + placeholder.length;
    const before = found.at(-1);
    const row = before?.end === start ? before.row : { start, end };
    row.end = end;
    found.push({ text: placeholder, start, end, row });
  }
  return found;
}
