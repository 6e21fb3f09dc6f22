import type { AudiencePage } from '../segments/index.js';

/** Users who are next in an audience. */
export interface Taken {
  readonly userIds: readonly string[];
  /** The last user who was looked at: the audience goes on after them. */
  readonly after: string | null;
  /** Nobody is left. */
  readonly isEnd: boolean;
}

/** An audience that is read a little ahead of where it is taken from. */
export interface Audience {
  /** So many users; fewer at the end, and where few match of those who were looked at. */
  take(count: number): Promise<Taken>;
  /** So many of those who come next, as far as they are read by now. */
  next(count: number): readonly string[];
}

/** Reads of one call, however few match. */
const MOST_READS = 20;
/** Where fewer than so many times what was taken last is left, more is read. */
const READ_AHEAD = 2;

/**
 * @param read a page of the audience, after a user
 * @param start the user to begin after; null for the first
 */
export function createAudience(
  read: (after: string | null) => Promise<AudiencePage>,
  start: string | null,
): Audience {
  let waiting: string[] = [];
  /** How far it was read. */
  let place = start;
  let isRead = false;
  let ahead: Promise<void> | null = null;

  function readMore(): Promise<void> {
    ahead ??= read(place)
      .then((page) => {
        waiting = waiting.concat(page.userIds);
        isRead = page.next === null;
        place = page.next ?? page.userIds.at(-1) ?? place;
      })
      .finally(() => {
        ahead = null;
      });
    return ahead;
  }

  return {
    async take(count) {
      for (let reads = 0; waiting.length < count && !isRead && reads < MOST_READS; reads += 1)
        await readMore();
      const userIds = waiting.slice(0, count);
      waiting = waiting.slice(count);
      // Read before they are asked for. Where it fails, the call that needs them reads again.
      if (!isRead && waiting.length < READ_AHEAD * count) readMore().catch(() => undefined);
      const after = waiting.length > 0 ? userIds.at(-1)! : place;
      return { userIds, after, isEnd: isRead && waiting.length === 0 };
    },

    next: (count) => waiting.slice(0, count),
  };
}
