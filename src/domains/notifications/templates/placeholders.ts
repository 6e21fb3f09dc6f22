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

/** What is before each placeholder, all others left out, and the first sign after it that is no placeholder's. */
export function surroundings({ literals, names }: Pieces): readonly { before: string; next: string }[] {
  let before = '';
  const around = names.map((_, n) => {
    before += literals[n]!;
    return { before, next: '' };
  });
  let next = '';
  for (let n = names.length - 1; n >= 0; n -= 1) {
    next = literals[n + 1]![0] ?? next;
    around[n]!.next = next;
  }
  return around;
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
