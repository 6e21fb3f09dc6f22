import { z } from 'zod';
import { badCursor } from '../../../platform/paging.js';
import { createSigner } from '../../../platform/signer.js';

/** More than this many posts missed, or told out of order: the client reads its feed anew. */
export const MAX_TOLD = 500;

/**
 * What a reader has been told. Fan-outs of different authors finish out of order, so one number is not enough: all
 * that lies at or below `done`, and each position in `seen` above it.
 */
export interface Told {
  done: number;
  seen: Set<number>;
}

/** Cursors of `feedUpdated`: opaque, and good for one reader alone. */
export interface LiveCursors {
  write(viewerId: string, told: Told): string;
  /** @throws PublicError BAD_CURSOR for whatever this reader was not given */
  read(viewerId: string, cursor: string): Told;
}

const shape = z.tuple([z.int()], z.int());
/** Of a position in JSON, with its comma. */
const LONGEST_POSITION = 17;

/** @param secret known to every process that answers the API, and to nobody else */
export function createLiveCursors(secret: string): LiveCursors {
  const signer = createSigner(secret, 'tidings feed updates', (MAX_TOLD + 2) * LONGEST_POSITION);
  return {
    write: (viewerId, { done, seen }) => signer.sign(viewerId, Buffer.from(JSON.stringify([done, ...seen]))),
    read(viewerId, cursor) {
      const body = signer.verify(viewerId, cursor);
      if (!body) throw badCursor();
      const [done, ...seen] = shape.parse(JSON.parse(body.toString()));
      return { done, seen: new Set(seen) };
    },
  };
}
