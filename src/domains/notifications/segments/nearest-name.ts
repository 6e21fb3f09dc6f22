import leven from 'leven';

/** A name that is longer than this is near to none; comparing takes time by the product of both lengths. */
const LONGEST = 100;

/** The name that somebody may have meant: the one that differs by the fewest letters, whatever their case; undefined where none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const most = Math.max(2, Math.floor(name.length * 0.4));
  const wanted = name.toLowerCase();
  // Names differ by the difference of their lengths at least. Leven answers `maxDistance` for whatever is further away.
  const distances = names
    .filter((one) => Math.abs(one.length - name.length) <= most)
    .map((one) => ({ one, distance: leven(wanted, one.toLowerCase(), { maxDistance: most + 1 }) }));
  const near = distances.filter(({ distance }) => distance <= most);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.one;
}
