import { z } from 'zod';
import { createSigner } from '../../../platform/auth/signer.js';
import { badCursor } from '../../../platform/paging.js';

/** Where more posts than this were missed, or sent out of order, the client reads its feed again. */
export const MAX_UPDATES = 500;

/**
 * The posts that a reader has got. Fan-outs of different authors finish out of order, so one number is not enough: all at
 * or below `done`, and each position in `seen` above it.
 */
export interface LiveCursor {
  done: number;
  seen: Set<number>;
}

export type LiveCursors = ReturnType<typeof createLiveCursors>;

const shape = z.tuple([z.int()], z.int());
/** Of a position in JSON, with its comma. */
const LONGEST_POSITION = 17;

/**
 * Cursors of `feedUpdated` as text: opaque, and valid for one reader alone.
 *
 * @param secret shared by all processes that answer the API, and kept from clients
 */
export function createLiveCursors(secret: string) {
  const signer = createSigner(secret, 'tidings feed updates', (MAX_UPDATES + 2) * LONGEST_POSITION);
  return {
    write: (viewerId: string, { done, seen }: LiveCursor): string =>
      signer.sign(viewerId, Buffer.from(JSON.stringify([done, ...seen]))),
    /** @throws PublicError BAD_CURSOR for any text that this reader was not given */
    read(viewerId: string, cursor: string): LiveCursor {
      const body = signer.verify(viewerId, cursor);
      if (!body) throw badCursor();
      const [done, ...seen] = shape.parse(JSON.parse(body.toString()));
      return { done, seen: new Set(seen) };
    },
  };
}
