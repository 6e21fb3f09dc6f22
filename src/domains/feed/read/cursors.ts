import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import { PublicError } from '../../../platform/errors.js';
import type { PostPlace } from '../types.js';
import type { FeedOrder } from './feed-page.js';
import type { FeedWindow, Standing } from './standing.js';

const VERSION = 1;
const ORDERS: readonly FeedOrder[] = ['LATEST', 'RANKED'];
const PLACE = 8 + 16;
/** Version, order, whether the window is open. */
const HEAD = 3;
const FIXED = HEAD + 3 * PLACE + 8;
const FINGERPRINT = 8;
const SIGNATURE = 16;
/** A window has at most 100 candidates when it is opened; what came into it later is shown too. */
const MOST_SHOWN = 1_000;
const LONGEST = Math.ceil(((FIXED + MOST_SHOWN * FINGERPRINT + SIGNATURE) * 4) / 3);

/** Cursors of feeds: opaque, and good for one reader and one order alone. */
export interface FeedCursors {
  write(viewerId: string, standing: Standing): string;
  /** @throws PublicError BAD_CURSOR for whatever this reader was not given */
  read(viewerId: string, cursor: string): Standing;
}

/** @param secret known to every process that answers the API, and to nobody else */
export function createFeedCursors(secret: string): FeedCursors {
  // A key object is made once; bytes would be made into one at each signature, which takes five times as long.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'tidings feed cursors', 32)));
  // His length first: else what stands behind a body might be the end of it, or the beginning of an id.
  const sign = (viewerId: string, body: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(`${viewerId.length}:${viewerId}`)
      .update(body)
      .digest()
      .subarray(0, SIGNATURE);

  return {
    write(viewerId, standing) {
      const body = encode(standing);
      return Buffer.concat([body, sign(viewerId, body)]).toString('base64url');
    },
    read(viewerId, cursor) {
      const bytes = Buffer.from(cursor.slice(0, LONGEST), 'base64url');
      // Exactly what was given out: base64url can be written in more than one way.
      if (bytes.length < FIXED + SIGNATURE || bytes.toString('base64url') !== cursor) throw badCursor();
      const body = bytes.subarray(0, -SIGNATURE);
      if (!timingSafeEqual(sign(viewerId, body), bytes.subarray(-SIGNATURE))) throw badCursor();
      return decode(body);
    },
  };
}

export const badCursor = (): PublicError =>
  new PublicError('BAD_CURSOR', 'This cursor is not one that this field gave');

function encode({ order, place, window, shown }: Standing): Buffer {
  const body = Buffer.allocUnsafe(FIXED + shown.length * FINGERPRINT);
  body[0] = VERSION;
  body[1] = ORDERS.indexOf(order);
  body[2] = window.to === null ? 0 : 1;
  let end = HEAD;
  for (const at of [place, window.from, window.to ?? window.from]) {
    body.writeDoubleBE(at.at, end);
    body.write(at.postId.replaceAll('-', ''), end + 8, 'hex');
    end += PLACE;
  }
  body.writeDoubleBE(window.openedAt, end);
  body.write(shown.join(''), FIXED, 'hex');
  return body;
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
