import type { Ranked } from '../ranking/rank.js';
import type { Post, PostPlace } from '../types.js';
import { withoutNearDuplicates } from './near-duplicates.js';
import { PULLED_AN_AUTHOR, PULLED_FOR_MS } from './pulled.js';
import type { Skeleton } from './skeleton.js';
import {
  endsFeed,
  type FeedWindow,
  fingerprintOf,
  isNewer,
  passedBy,
  type Standing,
  standingAt,
} from './standing.js';

/** Windows that one page may look through: 1,000 candidates (feed document, Ranking), of which rules may take all. */
const WINDOWS_A_PAGE = 10;

/** One post of a page, in its place. */
export interface Taken {
  readonly ranked: Ranked;
  /** Where its reader stands behind it. */
  standing(): Standing;
}

/** What was found for a page: one post more than asked for where there is more. */
export interface Gathered {
  readonly taken: readonly Taken[];
  /** Where to go on when all of `taken` is shown; null at the end of the feed. */
  readonly next: Standing | null;
}

/**
 * Reads one window: its skeleton, and those of its posts that may be shown, best first. `pulledBefore` (ms) is where the
 * day that celebrities' posts are good for ends.
 */
export type ReadWindow = (
  window: FeedWindow,
  pulledBefore: number,
  allowanceOf: (authorId: string) => number,
) => Promise<{ readonly skeleton: Skeleton; readonly ranked: readonly Ranked[] }>;

/**
 * Goes from window to window until a page is full and there is one post more, or the feed ends, or so much was looked
 * at that the rest is left for the next page. Filtering never makes a page short while more exists; only a celebrity
 * does who has more than a page may show.
 */
export async function gather(
  readWindow: ReadWindow,
  start: Standing,
  limit: number,
  now: number,
): Promise<Gathered> {
  const taken: Taken[] = [];
  const spent = new Map<string, number>();
  const allowanceOf = (authorId: string): number => PULLED_AN_AUTHOR - (spent.get(authorId) ?? 0);
  let at: Standing = start;
  for (let windows = 0; windows < WINDOWS_A_PAGE && taken.length <= limit; windows += 1) {
    if ([...spent.values()].some((count) => count >= PULLED_AN_AUTHOR)) break;
    const window = at.window.to === null ? { ...at.window, openedAt: now } : at.window;
    const { skeleton, ranked } = await readWindow(window, pulledBefore(at, window), allowanceOf);
    const shown = [...at.shown];
    for (const one of unseen(ranked, at)) {
      const { post, source } = one;
      if (source === 'CELEBRITY' && allowanceOf(post.author.userId) <= 0)
        return { taken, next: taken.at(-1)!.standing() };
      shown.push(fingerprintOf(post.postId));
      taken.push({
        ranked: one,
        standing: standingBehind(at.order, post, skeleton.window, shown, shown.length),
      });
      if (source === 'CELEBRITY') spent.set(post.author.userId, (spent.get(post.author.userId) ?? 0) + 1);
    }
    const next = behind(at.order, skeleton, shown);
    if (next === null) return { taken, next };
    at = next;
  }
  return { taken, next: at };
}

/** Counted back from the cursor: of LATEST that is the last place, of RANKED the window. */
const pulledBefore = ({ order, place }: Standing, { openedAt }: FeedWindow): number =>
  order === 'LATEST' ? Math.min(place.at, openedAt) : openedAt;

/**
 * What the reader was not shown yet. Of near-identical posts the one stays that he was shown, else the best; the others
 * count as visited.
 */
function unseen(ranked: readonly Ranked[], at: Standing): Ranked[] {
  const isPassed = passedBy(at);
  const { seen = [], fresh = [] } = Object.groupBy(ranked, ({ post }) =>
    isPassed(placeOf(post)) ? 'seen' : 'fresh',
  );
  const shown = seen.filter((one) => !isPerhapsUnshown(one, at));
  const kept = new Set(withoutNearDuplicates([...shown, ...fresh], ({ post }) => post.fingerprint));
  return fresh.filter((one) => kept.has(one));
}

/**
 * LATEST passes by place, and a celebrity's post of more than a day before its window may have been passed without being
 * good for any cursor: it stands for no other.
 */
const isPerhapsUnshown = ({ post, source }: Ranked, { order, window }: Standing): boolean =>
  order === 'LATEST' &&
  source === 'CELEBRITY' &&
  post.createdAt.getTime() < Math.min(window.from.at, window.openedAt) - PULLED_FOR_MS;

const standingBehind =
  (order: Standing['order'], post: Post, window: FeedWindow, shown: readonly string[], count: number) =>
  (): Standing => ({
    order,
    place: placeOf(post),
    window,
    shown: order === 'RANKED' ? shown.slice(0, count) : [],
  });

/** Behind all that was read of a window: in the next one, or in what was left of this one. */
function behind(order: Standing['order'], skeleton: Skeleton, shown: readonly string[]): Standing | null {
  const { window, readTo, places } = skeleton;
  if (!isNewer(readTo, window.to)) return endsFeed(window.to) ? null : standingAt(order, window.to);
  const read = new Set(places.map((place) => fingerprintOf(place.postId)));
  return {
    order,
    place: readTo,
    window: { ...window, from: readTo },
    shown: shown.filter((fingerprint) => !read.has(fingerprint)),
  };
}

export const placeOf = (post: Post): PostPlace => ({ at: post.createdAt.getTime(), postId: post.postId });
