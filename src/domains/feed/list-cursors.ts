import { z } from 'zod';
import { cursorsOf, type PageRequest } from '../../platform/paging.js';
import { BEGINNING, NOW_AND_LATER } from './types.js';

/** Of lists of posts or comments. */
export const postCursors = (list: string) =>
  timeCursors(list, z.uuid(), { newest: NOW_AND_LATER.postId, oldest: BEGINNING.postId });

/** Of lists of people. */
export const userCursors = (list: string) =>
  timeCursors(list, z.int().nonnegative(), { newest: Number.MAX_SAFE_INTEGER, oldest: 0 });

/** Cursors of a list in time order: when an entry was made, and its id (of a person, the surrogate id) among those of one millisecond. */
function timeCursors<Id extends string | number>(
  list: string,
  id: z.ZodType<Id>,
  ids: { readonly newest: Id; readonly oldest: Id },
) {
  const cursors = cursorsOf(list, z.tuple([z.int().nonnegative().max(NOW_AND_LATER.at), id]));
  const ends = { newest: [NOW_AND_LATER.at, ids.newest], oldest: [BEGINNING.at, ids.oldest] } as const;
  return {
    write: (at: Date, entryId: Id): string => cursors.write(at.getTime(), entryId),
    /**
     * Where a page begins.
     *
     * @param first the end of the list that is shown first
     * @throws PublicError BAD_CURSOR
     */
    startOf(page: PageRequest, first: 'newest' | 'oldest' = 'newest'): [Date, Id] {
      const isFirst = page.direction === 'forward';
      const last = first === 'newest' ? 'oldest' : 'newest';
      const [at, entryId] = cursors.read(page.cursor) ?? ends[isFirst ? first : last];
      return [new Date(at), entryId];
    },
  };
}
