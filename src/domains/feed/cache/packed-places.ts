import { noteDiscarded } from '../../../platform/redis/redis-value.js';
import { NOW_AND_LATER, type PostPlace } from '../types.js';

const ID_BYTES = 16;
/** The last instant of a Date. */
const LATEST = NOW_AND_LATER.at;

/** A post id as warm sets hold it: its 16 bytes, which sort as its text does. */
export const packId = (postId: string): Buffer => Buffer.from(hexOf(postId), 'hex');

/** Its 32 hexadecimal digits. */
export const hexOf = (postId: string): string =>
  postId.slice(0, 8) + postId.slice(9, 13) + postId.slice(14, 18) + postId.slice(19, 23) + postId.slice(24);

const DIGITS = Buffer.from('0123456789abcdef');
/** Where the digits of each of the 16 bytes are in the text of an id. */
const STARTS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const text = Buffer.alloc(36, '-');

/** Every page unpacks a hundred: concatenating parts would take twice as long. */
export function unpackId(bytes: Buffer): string {
  for (let i = 0; i < 16; i += 1) {
    const [byte, start] = [bytes[i]!, STARTS[i]!];
    text[start] = DIGITS[byte >> 4]!;
    text[start + 1] = DIGITS[byte & 15]!;
  }
  return text.toString('latin1');
}

/** Time, packed id, time, packed id, … */
export const packPlaces = (places: readonly PostPlace[]): (number | Buffer)[] =>
  places.flatMap((place) => [place.at, packId(place.postId)]);

/** What Redis answers: packed id, time, packed id, time, … */
export function unpackPlaces(entries: readonly Buffer[]): PostPlace[] {
  const places: PostPlace[] = [];
  for (let i = 0; i < entries.length; i += 2) {
    const at = wholeNumber(entries[i + 1]!);
    if (entries[i]!.length === ID_BYTES && at <= LATEST) places.push({ postId: unpackId(entries[i]!), at });
    else noteDiscarded('feed_entry');
  }
  return places;
}

const ZERO = '0'.charCodeAt(0);

/** What Redis writes as digits: a time, which is never negative. */
function wholeNumber(digits: Buffer): number {
  let value = 0;
  for (let i = 0; i < digits.length; i += 1) value = value * 10 + digits[i]! - ZERO;
  return value;
}
