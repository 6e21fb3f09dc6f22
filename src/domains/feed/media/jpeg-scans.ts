const [FF, SOI, EOI, SOS, RST0, SOF0] = [0xff, 0xd8, 0xd9, 0xda, 0xd0, 0xc0] as const;

/**
 * How many scans a decoder draws of a JPEG, counted to `most` and one more; 0 where the bytes are no JPEG. Only the image itself counts:
 * neither what is in its segments, such as previews, nor what stands behind its end, such as a phone's video.
 *
 * It goes from marker to marker as libjpeg does, so that it misses none that is drawn: it skips only segments that libjpeg skips by
 * their length, and takes everything between markers for compressed data.
 */
export function countScans(bytes: Uint8Array, most: number): number {
  if (bytes[0] !== FF || bytes[1] !== SOI) return 0;
  let scans = 0;
  for (let at = 2; at < bytes.length && scans <= most; ) {
    // Not `indexOf`: a file of nothing but such bytes would take a second of the process.
    while (at < bytes.length && bytes[at] !== FF) at += 1;
    while (bytes[at] === FF) at += 1;
    const marker = bytes[at] ?? EOI;
    at += 1;
    if (marker === EOI) break;
    if (marker === SOS) scans += 1;
    if (hasLength(marker)) at += Math.max(2, lengthAt(bytes, at));
  }
  return scans;
}

/** Not: a stuffed 0, the restarts in compressed data, and what a decoder that looks for a restart passes over. */
const hasLength = (marker: number): boolean => marker >= SOF0 && !(marker >= RST0 && marker <= SOI);

const lengthAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
