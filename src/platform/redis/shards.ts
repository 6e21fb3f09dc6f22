/**
 * FNV-1a: short, and the same in every process.
 *
 * @param from the first character that counts
 * @returns a whole number that is not negative
 */
export function hashOf(text: string, from = 0): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = Math.max(0, from); i < text.length; i += 1)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
