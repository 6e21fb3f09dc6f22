import { badCursor } from '../../../platform/paging.js';
import { createSeal } from '../../../platform/seal.js';
import type { PostPlace } from '../types.js';
import type { FeedOrder } from './feed-page.js';
import type { FeedWindow, Standing } from './standing.js';

export { badCursor };

const VERSION = 2;
const ORDERS: readonly FeedOrder[] = ['LATEST', 'RANKED'];
const PLACE = 8 + 16;
/** Version, order, whether the window is open. */
const HEAD = 3;
const FIXED = HEAD + 3 * PLACE + 8;
const FINGERPRINT = 8;
/** A window has at most 100 candidates when it is opened; what came into it later is shown too. */
const MOST_SHOWN = 1_000;
const LONGEST = FIXED + MOST_SHOWN * FINGERPRINT;

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
  const body = Buffer.allocUnsafe(FIXED + shown.length * FINGERPRINT);
  body[0] = VERSION;
  body[1] = ORDERS.indexOf(order);
  body[2] = window.to === null ? 0 : 1;
  writePlace(body, place, HEAD);
  body.set(windowBytes(window), HEAD + PLACE);
  body.write(shown.join(''), FIXED, 'hex');
  return body;
}

const known = new WeakMap<FeedWindow, Buffer>();

/** All cursors of a page stand in the same window or two. */
function windowBytes(window: FeedWindow): Buffer {
  const before = known.get(window);
  if (before) return before;
  const bytes = Buffer.alloc(2 * PLACE + 8);
  writePlace(bytes, window.from, 0);
  writePlace(bytes, window.to ?? window.from, PLACE);
  bytes.writeDoubleBE(window.openedAt, 2 * PLACE);
  known.set(window, bytes);
  return bytes;
}

function writePlace(body: Buffer, { at, postId }: PostPlace, start: number): void {
  body.writeDoubleBE(at, start);
  body.write(postId.replaceAll('-', ''), start + 8, 'hex');
}

function decode(body: Buffer): Standing {
  const order = ORDERS[body[1]!];
  if (body[0] !== VERSION || order === undefined) throw badCursor();
  const [place, from, to] = [0, 1, 2].map((n) => placeAt(body, HEAD + n * PLACE)) as [
    PostPlace,
    PostPlace,
    PostPlace,
  ];
  const window: FeedWindow = {
    from,
    to: body[2] === 1 ? to : null,
    openedAt: body.readDoubleBE(HEAD + 3 * PLACE),
  };
  const shown: string[] = [];
  for (let at = FIXED; at < body.length; at += FINGERPRINT)
    shown.push(body.toString('hex', at, at + FINGERPRINT));
  return { order, place, window, shown };
}

function placeAt(body: Buffer, start: number): PostPlace {
  const hex = body.toString('hex', start + 8, start + PLACE);
  const postId = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
  return { at: body.readDoubleBE(start), postId };
}
