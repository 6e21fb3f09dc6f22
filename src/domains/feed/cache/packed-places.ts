import { noteDiscarded } from '../../../platform/redis/redis-value.js';
import { NOW_AND_LATER, newestFirst, type PostPlace } from '../types.js';
import type { Loaded, WarmPlaces } from './warm-sets.js';

/*
 * Entries of warm sets as bytes; `entries.lua` says what they are made of. A post's time and its id are 22 bytes; 16 hold both
 * where the id is a UUIDv7 that was made at about the post's time.
 */

const NARROW = 16;
const WIDE = 22;
const ID = 16;
const TIME = 6;
/** How much earlier than its post an id may have been made, in ms, and by how much these differ at most. */
const SPREAD = 3_071;
const MOST_LATER = 4_095;
const LATEST_OF_NARROW = 2 ** 42;

/** A post id as its 16 bytes, which sort as its text does. */
export const packId = (postId: string): Buffer => Buffer.from(hexOf(postId), 'hex');

/** Its 32 hexadecimal digits. */
export const hexOf = (postId: string): string =>
  postId.slice(0, 8) + postId.slice(9, 13) + postId.slice(14, 18) + postId.slice(19, 23) + postId.slice(24);

const DIGITS = Buffer.from('0123456789abcdef');
/** Where the digits of each of the 16 bytes are in the text of an id. */
const STARTS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const text = Buffer.alloc(36, '-');

/** Every page unpacks a hundred: concatenating parts would take twice as long. */
export function unpackId(bytes: Uint8Array): string {
  for (let i = 0; i < ID; i += 1) {
    const [byte, start] = [bytes[i]!, STARTS[i]!];
    text[start] = DIGITS[byte >> 4]!;
    text[start + 1] = DIGITS[byte & 15]!;
  }
  return text.toString('latin1');
}

/** What a set is built from, as `finish-build.lua` takes it: the floor, and entries in the order of places, all of one width. */
export function packSet({ places, completeFrom }: Loaded): { floor: Buffer; entries: Buffer } {
  const all = [completeFrom, ...places.toSorted(newestFirst).reverse()];
  const narrow = all.map(packNarrow);
  const packed = narrow.every((entry) => entry !== null) ? narrow : all.map(packWide);
  return { floor: packed[0]!, entries: Buffer.concat(packed.slice(1)) };
}

function packWide({ at, postId }: PostPlace): Buffer {
  const entry = Buffer.allocUnsafe(WIDE);
  entry.writeUIntBE(at, 0, TIME);
  entry.write(hexOf(postId), TIME, 'hex');
  return entry;
}

/** Null where 16 bytes do not hold it. */
function packNarrow({ at, postId }: PostPlace): Buffer | null {
  const id = packId(postId);
  if (at === 0 && id.every((byte) => byte === 0)) return id;
  const later = id.readUIntBE(0, TIME) - at + SPREAD;
  const isVersion7 = id[6]! >> 4 === 7 && id[8]! >> 6 === 2;
  if (!isVersion7 || later < 0 || later > MOST_LATER || at >= LATEST_OF_NARROW) return null;
  const random = id.readUInt16BE(6) & 0xfff;
  id.writeUIntBE(at * 64 + (later >> 6), 0, TIME);
  id.writeUIntBE(((later & 63) << 18) | (random << 6) | (id[8]! & 63), 6, 3);
  return id;
}

/** What `read.lua` answers. */
export function unpackSet(answer: Buffer): WarmPlaces {
  const width = answer[0]!;
  const unpack = width === NARROW ? unpackNarrow : unpackWide;
  const places: PostPlace[] = [];
  for (let end = answer.length; end > 1 + width; end -= width) {
    const place = unpack(answer, end - width);
    if (place.at <= NOW_AND_LATER.at) places.push(place);
    else noteDiscarded('feed_entry');
  }
  return { completeFrom: unpack(answer, 1), places };
}

function unpackWide(bytes: Buffer, start: number): PostPlace {
  return {
    at: bytes.readUIntBE(start, TIME),
    postId: unpackId(bytes.subarray(start + TIME, start + WIDE)),
  };
}

const id = new Uint8Array(ID);

function unpackNarrow(bytes: Buffer, start: number): PostPlace {
  const first = bytes.readUIntBE(start, TIME);
  const middle = bytes.readUIntBE(start + 6, 3);
  if (first === 0 && middle === 0) return { at: 0, postId: unpackId(bytes.subarray(start, start + NARROW)) };
  const at = Math.floor(first / 64);
  let made = at + (first % 64) * 64 + (middle >> 18) - SPREAD;
  for (let i = TIME - 1; i >= 0; i -= 1) {
    id[i] = made % 256;
    made = Math.floor(made / 256);
  }
  id[6] = 0x70 | ((middle >> 14) & 15);
  id[7] = (middle >> 6) & 255;
  id[8] = 0x80 | (middle & 63);
  for (let i = 9; i < ID; i += 1) id[i] = bytes[start + i]!;
  return { at, postId: unpackId(id) };
}
