import { badCursor } from '../../../platform/paging.js';
import { createSeal } from '../../../platform/seal.js';
import { hexOf, unpackId } from '../cache/packed-places.js';
import type { PostPlace } from '../types.js';
import type { FeedOrder } from './feed-page.js';
import { type FeedWindow, FINGERPRINT, type Standing } from './standing.js';

export { badCursor };

const VERSION = 3;
const ORDERS: readonly FeedOrder[] = ['LATEST', 'RANKED'];
const ID = 16;
const PLACE = 8 + ID;
/** Version, order, whether the window is open. */
const HEAD = 3;
const WINDOW = 2 * PLACE + 8;
/** The place, its id last: what is hexadecimal stands together, and is written at once. */
const PLACE_AT = HEAD + WINDOW;
const FIXED = PLACE_AT + PLACE;
/** A window has at most 100 candidates when it is opened; what came into it later is shown too. */
const MOST_SHOWN = 1_000;
const LONGEST = FIXED + (MOST_SHOWN * FINGERPRINT) / 2;

/** Cursors of feeds: opaque, and good for one reader and one order alone. */
export interface FeedCursors {
  write(viewerId: string, standing: Standing): string;
  /** @throws PublicError BAD_CURSOR for whatever this reader was not given */
  read(viewerId: string, cursor: string): Standing;
}

/** @param secret known to every process that answers the API, and to nobody else */
export function createFeedCursors(secret: string): FeedCursors {
  const seal = createSeal(secret, 'tidings feed cursors', LONGEST);
  return {
    write: (viewerId, standing) => seal.close(viewerId, encode(standing)),
    read(viewerId, cursor) {
      const body = seal.open(viewerId, cursor);
      if (!body) throw badCursor();
      return decode(body);
    },
  };
}

function encode({ order, place, window, shown }: Standing): Buffer {
  const body = Buffer.allocUnsafe(FIXED + shown.length / 2);
  body[0] = VERSION;
  body[1] = ORDERS.indexOf(order);
  body[2] = window.to === null ? 0 : 1;
  body.set(windowBytes(window), HEAD);
  body.writeDoubleBE(place.at, PLACE_AT);
  body.write(hexOf(place.postId) + shown, FIXED - ID, 'hex');
  return body;
}

const known = new WeakMap<FeedWindow, Buffer>();

/** All cursors of a page stand in the same window or two. */
function windowBytes(window: FeedWindow): Buffer {
  const before = known.get(window);
  if (before) return before;
  const bytes = Buffer.alloc(WINDOW);
  writePlace(bytes, window.from, 0);
  writePlace(bytes, window.to ?? window.from, PLACE);
  bytes.writeDoubleBE(window.openedAt, 2 * PLACE);
  known.set(window, bytes);
  return bytes;
}

function writePlace(body: Buffer, { at, postId }: PostPlace, start: number): void {
  body.writeDoubleBE(at, start);
  body.write(hexOf(postId), start + 8, 'hex');
}

function decode(body: Buffer): Standing {
  const order = ORDERS[body[1]!];
  if (body[0] !== VERSION || order === undefined) throw badCursor();
  const window: FeedWindow = {
    from: placeAt(body, HEAD),
    to: body[2] === 1 ? placeAt(body, HEAD + PLACE) : null,
    openedAt: body.readDoubleBE(HEAD + 2 * PLACE),
  };
  return { order, place: placeAt(body, PLACE_AT), window, shown: body.toString('hex', FIXED) };
}

function placeAt(body: Buffer, start: number): PostPlace {
  return { at: body.readDoubleBE(start), postId: unpackId(body.subarray(start + 8, start + PLACE)) };
}
