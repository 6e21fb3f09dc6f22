import type { AudiencePage } from '../segments/index.js';

/** Users who are next in an audience. */
export interface Taken {
  readonly userIds: readonly string[];
  /** The last user who was looked at: the audience goes on after them. */
  readonly after: string | null;
  /** Nobody is left. */
  readonly isEnd: boolean;
}

/** An audience that is read a little ahead of where it is taken from: whether a user matches was looked at half a minute before, at most. */
export interface Audience {
  /** So many users; fewer at the end, and where few match of those who were looked at. */
  take(count: number): Promise<Taken>;
  /** So many of those who come next, as far as they are read by now. */
  next(count: number): readonly string[];
}

/** Reads of one call, however few match. */
const MOST_READS = 20;
/** What was read is read again after so long: a campaign of few users a second would hold it for hours. */
const FRESH_MS = 30_000;
/** Where fewer than so many times what was taken last is left, more is read. */
const READ_AHEAD = 2;

/**
 * @param read a page of the audience, after a user
 * @param start the user to begin after; null for the first
 * @param now milliseconds that only ever grow
 */
export function createAudience(
  read: (after: string | null) => Promise<Pick<AudiencePage, 'userIds' | 'next'>>,
  start: string | null,
  now: () => number = () => performance.now(),
): Audience {
  let waiting: string[] = [];
  /** When the first of those who wait was looked at. */
  let readAt = now();
  /** How far it was read, and how far it was taken. */
  let place = start;
  let takenTo = start;
  let isRead = false;
  let ahead: Promise<void> | null = null;

  function readMore(): Promise<void> {
    const askedAt = now();
    ahead ??= read(place)
      .then((page) => {
        if (waiting.length === 0) readAt = askedAt;
        waiting = waiting.concat(page.userIds);
        isRead = page.next === null;
        place = page.next ?? page.userIds.at(-1) ?? place;
      })
      .finally(() => {
        ahead = null;
      });
    return ahead;
  }

  /** Users who wait for too long are looked at again. */
  async function dropStale(): Promise<void> {
    if (now() - readAt < FRESH_MS) return;
    await ahead?.catch(() => undefined);
    [waiting, place, isRead, readAt] = [[], takenTo, false, now()];
  }

  return {
    async take(count) {
      await dropStale();
      for (let reads = 0; waiting.length < count && !isRead && reads < MOST_READS; reads += 1)
        await readMore();
      const userIds = waiting.slice(0, count);
      waiting = waiting.slice(count);
      // Read before they are asked for. Where it fails, the call that needs them reads again.
      if (!isRead && waiting.length < READ_AHEAD * count) readMore().catch(() => undefined);
      const after = waiting.length > 0 ? userIds.at(-1)! : place;
      takenTo = after;
      return { userIds, after, isEnd: isRead && waiting.length === 0 };
    },

    next: (count) => waiting.slice(0, count),
  };
}
