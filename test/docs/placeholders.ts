/** Any place in a list, newest last. */
const CURSORS = ['cursor', 'liveCursor', 'updatesAfter', 'endCursor'];
/** Those to subscribe with. */
const LIVE_CURSORS = ['cursor', 'liveCursor', 'updatesAfter'];

/**
 * Fills in what a reader has to: `postId: "…"` is the newest `postId` that anything has answered, `after: "…"` the newest
 * cursor.
 */
export function openPlaceholders() {
  const seen = new Map<string, { value: string; at: number }>();
  let count = 0;

  function see(value: unknown, key = ''): void {
    if (typeof value === 'string') {
      count += 1;
      seen.set(camelCase(key), { value, at: count });
    } else if (Array.isArray(value)) for (const item of value) see(item, key);
    else if (value !== null && typeof value === 'object')
      for (const [name, member] of Object.entries(value)) see(member, name);
  }

  function fill(text: string): string {
    const live = /^\s*subscription\b/m.test(text);
    return text.replace(/\b(\w+): (\[?)"…"/g, (_, name: string, list: string) => {
      const names = /^(after|before|cursor)$/.test(name)
        ? live
          ? LIVE_CURSORS
          : CURSORS
        : [list ? name.replace(/s$/, '') : name];
      const newest = names.flatMap((one) => seen.get(one) ?? []).sort((a, b) => b.at - a.at)[0];
      if (!newest) throw new Error(`nothing has answered what ${name}: "…" could be`);
      return `${name}: ${list}${JSON.stringify(newest.value)}`;
    });
  }

  return { see, fill };
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
