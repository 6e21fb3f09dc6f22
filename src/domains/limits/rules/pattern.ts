/** A text in which `*` matches any number of characters, none too. */
export interface Pattern {
  readonly text: string;
  /** How many characters stand for themselves: the more, the better the match. */
  readonly literals: number;
  /** Takes time in proportion to both lengths at worst: nothing is ever tried twice. */
  matches(value: string): boolean;
}

export function compilePattern(text: string): Pattern {
  const parts = text.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const between = parts.slice(1, -1);
  const literals = text.length - parts.length + 1;
  return {
    text,
    literals,
    matches(value) {
      if (value.length < literals || !value.startsWith(first) || !value.endsWith(last)) return false;
      // The earliest match of each part leaves the most characters for the next.
      let from = first.length;
      const end = value.length - last.length;
      for (const part of between) {
        const at = value.indexOf(part, from);
        if (at < 0) return false;
        from = at + part.length;
      }
      return from <= end;
    },
  };
}
