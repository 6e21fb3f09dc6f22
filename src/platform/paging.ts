import { z } from 'zod';
import { PublicError } from './errors.js';

export const DEFAULT_PAGE = 20;
export const MAX_PAGE = 100;

/** Relay's paging arguments as they came. */
export interface PagingArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** What to read: `limit` items on one side of the cursor. */
export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  /** Forward reads what follows the cursor, backward what precedes it, nearest first in both. */
  readonly direction: 'forward' | 'backward';
  readonly cursor: string | null;
}

/**
 * Reads paging arguments: `first`/`after` or `last`/`before`, 1 to 100; neither means the first 20.
 *
 * @throws PublicError BAD_USER_INPUT
 */
export function readPaging(args: PagingArguments): PageRequest {
  const forward = args.first != null || args.after != null;
  const backward = args.last != null || args.before != null;
  if (forward && backward)
    throw new PublicError('BAD_USER_INPUT', 'Use first/after or last/before, not both');
  const limit = (backward ? args.last : args.first) ?? DEFAULT_PAGE;
  if (limit < 1 || limit > MAX_PAGE) {
    throw new PublicError('BAD_USER_INPUT', `${backward ? 'last' : 'first'} must be 1 to ${MAX_PAGE}`);
  }
  return {
    limit,
    direction: backward ? 'backward' : 'forward',
    cursor: (backward ? args.before : args.after) ?? null,
  };
}

/**
 * Where a list of instants and UUIDs, newest first, begins without a cursor. A place and not its absence: `$1 IS NULL OR …` bounds no
 * index in a plan that is kept, and a page far down would read all that stands before it.
 */
export const LIST_START = {
  forward: ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  backward: ['-infinity', '00000000-0000-0000-0000-000000000000'],
} as const;

export interface Connection<Item> {
  readonly edges: readonly { readonly cursor: string; readonly node: Item }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/**
 * Makes a connection of what was read.
 *
 * @param items at most `limit + 1`, nearest to the cursor first; one more than `limit` says that there are others
 * @param stoppedAt where the read stopped before the list's end, with fewer items than it might have found: the page goes
 *   on from there, and may be empty
 */
export function toConnection<Item>(
  page: PageRequest,
  items: readonly Item[],
  cursorOf: (item: Item) => string,
  stoppedAt?: string,
): Connection<Item> {
  const more = items.length > page.limit || stoppedAt !== undefined;
  const shown = items.slice(0, page.limit);
  if (page.direction === 'backward') shown.reverse();
  const edges = shown.map((node) => ({ cursor: cursorOf(node), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: page.direction === 'forward' ? more : page.cursor !== null,
      hasPreviousPage: page.direction === 'backward' ? more : page.cursor !== null,
      startCursor: (page.direction === 'backward' ? stoppedAt : undefined) ?? edges[0]?.cursor ?? null,
      endCursor: (page.direction === 'forward' ? stoppedAt : undefined) ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

/** What a cursor says. */
export type CursorParts = readonly (string | number)[];

/** An opaque cursor of a few text parts. */
export function encodeCursor(...parts: CursorParts): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Reads a cursor back; `null` stands for no cursor.
 *
 * @param shape what its parts must be
 * @throws PublicError BAD_CURSOR for whatever `encodeCursor` would not write of such parts
 */
export function decodeCursor<Parts extends CursorParts>(
  cursor: string | null,
  shape: z.ZodType<Parts>,
): Parts | null {
  if (cursor === null) return null;
  try {
    const parts = shape.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (parts.success && encodeCursor(...parts.data) === cursor) return parts.data;
  } catch {
    // Not JSON: not a cursor of ours.
  }
  throw badCursor();
}

export const badCursor = (): PublicError =>
  new PublicError('BAD_CURSOR', 'This cursor is not one that this field gave');

/** The cursors of one kind of list: one of another list that says the same is refused. @param list names it */
export function cursorsOf<Parts extends CursorParts>(list: string, shape: z.ZodType<Parts>) {
  const named = z.tuple([z.literal(list)], z.union([z.string(), z.number()]));
  return {
    write: (...parts: Parts): string => encodeCursor(list, ...parts),
    /**
     * `null` stands for no cursor.
     *
     * @throws PublicError BAD_CURSOR, also for that of another kind of list which says the same
     */
    read(cursor: string | null): Parts | null {
      const parts = decodeCursor(cursor, named);
      if (parts === null) return null;
      const read = shape.safeParse(parts.slice(1));
      if (!read.success) throw badCursor();
      return read.data;
    },
  };
}

/** The same, of a list of instants and UUIDs, newest first. */
export function instantCursorsOf(list: string) {
  const cursors = cursorsOf(list, z.tuple([z.int().nonnegative().max(8.64e15), z.uuid()]));
  const read = (cursor: string | null): readonly [at: Date, id: string] | null => {
    const parts = cursors.read(cursor);
    return parts && [new Date(parts[0]), parts[1]];
  };
  return {
    write: (at: Date, id: string): string => cursors.write(at.getTime(), id),
    read,
    /** The place from which a page goes on. @throws PublicError BAD_CURSOR */
    placeOf: ({ cursor, direction }: PageRequest): readonly [at: Date | string, id: string] =>
      read(cursor) ?? LIST_START[direction],
  };
}
