import type { PostPlace } from '../types.js';

/** A post id as warm sets hold it: its 16 bytes, which sort as its text does. */
export const packId = (postId: string): Buffer => Buffer.from(hexOf(postId), 'hex');

/** Its 32 hexadecimal digits. */
export const hexOf = (postId: string): string => postId.replaceAll('-', '');

export function unpackId(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Time, packed id, time, packed id, … */
export const packPlaces = (places: readonly PostPlace[]): (number | Buffer)[] =>
  places.flatMap((place) => [place.at, packId(place.postId)]);

/** What Redis answers: packed id, time, packed id, time, … */
export function unpackPlaces(entries: readonly Buffer[]): PostPlace[] {
  const places: PostPlace[] = [];
  for (let i = 0; i < entries.length; i += 2)
    places.push({ postId: unpackId(entries[i]!), at: Number(entries[i + 1]!.toString()) });
  return places;
}
