import { createSigner } from '../../../platform/auth/signer.js';
import { badCursor } from '../../../platform/paging.js';
import { hexOf, unpackId } from '../cache/packed-places.js';
import type { PostPlace } from '../types.js';
import { type FeedCursor, type FeedWindow, FINGERPRINT, MOST_ADVERTISED } from './feed-cursor.js';
import type { FeedOrder } from './feed-page.js';

/** Of cursors that name sponsored posts; others have the form of the version before, which older processes read too. */
const VERSION = 5;
const UNADVERTISED_VERSION = 4;
/** Cursors of processes before this one, in the same form: the window being open is the only flag that they know. */
const FORMER_VERSION = 3;
const ORDERS: readonly FeedOrder[] = ['LATEST', 'RANKED'];
const ID = 16;
const PLACE = 8 + ID;
/** Version, order, flags. */
const HEAD = 3;
/** Flags: the window is open; the time of the last visible post above it follows what was shown. */
const OPEN = 1;
const LAST_ABOVE = 2;
const TIME = 8;
const WINDOW = 2 * PLACE + 8;
/** The place, its id last: hexadecimal parts are adjacent, and written at once. */
const PLACE_AT = HEAD + WINDOW;
const FIXED = PLACE_AT + PLACE;
/** A window has at most 100 candidates when it is opened; what came into it later is shown too. */
const MOST_SHOWN = 1_000;
/** Version 5 ends with the fingerprints of sponsored posts and, in one byte, their number. */
const LONGEST = FIXED + ((MOST_SHOWN + MOST_ADVERTISED) * FINGERPRINT) / 2 + TIME + 1;

export type FeedCursors = ReturnType<typeof createFeedCursors>;

/**
 * Cursors of feeds as text: opaque, and valid for one reader and one order alone.
 *
 * @param secret shared by all processes that answer the API, and kept from clients
 */
export function createFeedCursors(secret: string) {
  const signer = createSigner(secret, 'tidings feed cursors', LONGEST);
  return {
    write: (viewerId: string, feedCursor: FeedCursor): string => signer.sign(viewerId, encode(feedCursor)),
    /** @throws PublicError BAD_CURSOR for any text that this reader was not given */
    read(viewerId: string, cursor: string): FeedCursor {
      const body = signer.verify(viewerId, cursor);
      if (!body) throw badCursor();
      return decode(body);
    },
  };
}

function encode({ order, place, window, shown, advertised = '' }: FeedCursor): Buffer {
  const { lastAbove } = window;
  const end = FIXED + shown.length / 2 + (lastAbove === undefined ? 0 : TIME);
  const body = Buffer.allocUnsafe(end + (advertised === '' ? 0 : advertised.length / 2 + 1));
  body[0] = advertised === '' ? UNADVERTISED_VERSION : VERSION;
  body[1] = ORDERS.indexOf(order);
  body[2] = (window.to === null ? 0 : OPEN) | (lastAbove === undefined ? 0 : LAST_ABOVE);
  body.set(windowBytes(window), HEAD);
  body.writeDoubleBE(place.at, PLACE_AT);
  body.write(hexOf(place.postId) + shown, FIXED - ID, 'hex');
  if (lastAbove !== undefined) body.writeDoubleBE(lastAbove, end - TIME);
  if (advertised !== '') {
    body.write(advertised, end, 'hex');
    body[body.length - 1] = advertised.length / FINGERPRINT;
  }
  return body;
}

const known = new WeakMap<FeedWindow, Buffer>();

/** All cursors of a page are in the same window or two. */
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

function decode(body: Buffer): FeedCursor {
  const order = ORDERS[body[1]!];
  const isFormer = body[0] === FORMER_VERSION;
  const isAdvertised = body[0] === VERSION;
  if ((body[0] !== UNADVERTISED_VERSION && !isFormer && !isAdvertised) || order === undefined)
    throw badCursor();
  const flags = isFormer ? body[2]! & OPEN : body[2]!;
  const hasLastAbove = (flags & LAST_ABOVE) !== 0;
  const advertised = isAdvertised ? body.length - 1 - (body.at(-1)! * FINGERPRINT) / 2 : body.length;
  const end = hasLastAbove ? advertised - TIME : advertised;
  const window: FeedWindow = {
    from: placeAt(body, HEAD),
    to: (flags & OPEN) === 0 ? null : placeAt(body, HEAD + PLACE),
    openedAt: body.readDoubleBE(HEAD + 2 * PLACE),
    ...(hasLastAbove && { lastAbove: body.readDoubleBE(end) }),
  };
  return {
    order,
    place: placeAt(body, PLACE_AT),
    window,
    shown: body.toString('hex', FIXED, end),
    ...(isAdvertised && { advertised: body.toString('hex', advertised, body.length - 1) }),
  };
}

function placeAt(body: Buffer, start: number): PostPlace {
  return { at: body.readDoubleBE(start), postId: unpackId(body.subarray(start + 8, start + PLACE)) };
}
