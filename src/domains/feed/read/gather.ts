import type { Clock } from '../../../platform/clock.js';
import type { Ranked } from '../ranking/rank.js';
import { type Post, type PostPlace, placeOf } from '../types.js';
import {
  cursorAt,
  endsFeed,
  type FeedCursor,
  type FeedWindow,
  FINGERPRINT,
  fingerprintOf,
  fingerprintsIn,
  isNewer,
  passedBy,
} from './feed-cursor.js';
import { comparedBy, repeatedAmong } from './near-duplicates.js';
import { PULLED_AN_AUTHOR } from './pulled.js';
import type { Skeleton } from './skeleton.js';

/** Windows that a page may look through however long it takes: 1,000 candidates (feed document, Ranking). */
const WINDOWS_A_PAGE = 10;
/** Until this deadline it reads more windows: where rules hide thousands in a row, the page would be short otherwise. */
const DEADLINE_MS = 200;
/** RANKED: how many posts a page may name in its cursor, because a celebrity's posts lie between them. */
const MOST_NAMED = 500;

/** One post of a page. */
export interface Taken {
  readonly ranked: Ranked;
  /** After it. */
  cursor(): FeedCursor;
}

/** What was found for a page: one post more than asked for where there is more. */
export interface Gathered {
  readonly taken: readonly Taken[];
  /** Where to go on when all of `taken` is shown; null at the end of the feed. */
  readonly next: FeedCursor | null;
}

/**
 * Reads one window: its skeleton, and those of its posts that may be shown, best first. `lastAbove` is for the window below;
 * see `FeedWindow`.
 */
export type ReadWindow = (window: FeedWindow) => Promise<{
  readonly skeleton: Skeleton;
  readonly ranked: readonly Ranked[];
  readonly lastAbove: number;
}>;

/** Whether a page that is not full may read one more window after so many. */
export const mayReadOn =
  (clock: Clock, began: number) =>
  (windows: number): boolean =>
    windows < WINDOWS_A_PAGE || clock.now() - began < DEADLINE_MS;

/**
 * Goes from window to window until a page is full and there is one post more, or the feed ends, or the deadline passes.
 *
 * Of a celebrity a page shows ten posts. By time it ends before the eleventh: a place cannot say more. RANKED leaves
 * it for the next page and goes on: its window then reaches from the first that was left as far down as was read, and
 * its cursor names what was shown of that.
 */
export async function gather(
  readWindow: ReadWindow,
  start: FeedCursor,
  limit: number,
  now: number,
  readsOn: (windows: number) => boolean,
): Promise<Gathered> {
  const taken: Taken[] = [];
  const isSpent = counting(PULLED_AN_AUTHOR);
  let at = start;
  let readTo = at.window.from;
  let isLeft = false;
  let lastAbove = at.window.lastAbove ?? at.window.from.at;
  const said: Ranked[] = [];
  for (let windows = 0; readsOn(windows); windows += 1) {
    const { to, openedAt } = at.window.to === null ? { to: null, openedAt: now } : at.window;
    const unread = to !== null && isNewer(readTo, to) ? to : null;
    const read = await readWindow({ from: readTo, to: unread, openedAt, ...below(readTo, lastAbove) });
    const { skeleton, ranked } = read;
    const window = isLeft ? { ...at.window, to: skeleton.window.to } : skeleton.window;
    ({ lastAbove } = read);
    let { shown } = at;
    const { seen, fresh } = splitShown(ranked, at);
    said.push(...seen);
    // What is left out counts as visited.
    const repeated = repeatedAmong(fresh, said);
    for (const one of fresh) {
      if (repeated.has(one)) continue;
      if (one.source === 'CELEBRITY' && isSpent(one.post.author.userId)) {
        if (at.order === 'LATEST') return { taken, next: taken.at(-1)!.cursor() };
        isLeft = true;
        continue;
      }
      if (isNamed(at.order, one)) shown += fingerprintOf(one.post.postId);
      said.push(one);
      const cursor = cursorAfter(at.order, one.post, window, shown);
      taken.push({ ranked: one, cursor });
      if (taken.length > limit) return { taken, next: cursor() };
    }
    ({ readTo } = skeleton);
    at = isLeft ? { ...at, window, shown } : behind(at, skeleton, shown, lastAbove);
    if (!isLeft) said.length = 0;
    if (endsFeed(readTo)) return { taken, next: isLeft ? at : null };
    if (isLeft && shown.length > MOST_NAMED * FINGERPRINT) break;
  }
  return { taken, next: at };
}

/** Whether so many of a key were counted before; counts one more where not. */
export function counting(most: number): (key: string) => boolean {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    if (count < most) counts.set(key, count + 1);
    return count >= most;
  };
}

/** Absent where it is the place's own time, so that not every cursor carries it. */
const below = ({ at }: PostPlace, lastAbove: number): Pick<FeedWindow, 'lastAbove'> =>
  at === lastAbove ? {} : { lastAbove };

/**
 * What the reader was shown, and what not yet. What they passed without being shown it is neither: it may have come by a
 * later follow, or be a celebrity's post that is too old for any cursor.
 */
function splitShown(
  ranked: readonly Ranked[],
  at: FeedCursor,
): { seen: readonly Ranked[]; fresh: readonly Ranked[] } {
  if (at.order === 'RANKED' && at.shown === '') return { seen: [], fresh: ranked };
  const isPassed = passedBy(at);
  const named = new Set(fingerprintsIn(at.shown));
  return {
    seen: named.size === 0 ? [] : ranked.filter(({ post }) => named.has(fingerprintOf(post.postId))),
    fresh: ranked.filter(({ post }) => !isPassed(placeOf(post))),
  };
}

/** LATEST passes by place; it names only posts that may have near-identical ones. */
const isNamed = (order: FeedCursor['order'], one: Ranked): boolean =>
  order === 'RANKED' || comparedBy(one) !== null;

function cursorAfter(
  order: FeedCursor['order'],
  post: Post,
  window: FeedWindow,
  shown: string,
): () => FeedCursor {
  return () => ({ order, place: placeOf(post), window, shown });
}

/** After all that was read of a window: in the next one, or in what was left of this one. */
function behind(
  { order, place }: FeedCursor,
  skeleton: Skeleton,
  shown: string,
  lastAbove: number,
): FeedCursor {
  const { window, readTo, places } = skeleton;
  const next = below(readTo, lastAbove);
  if (!isNewer(readTo, window.to)) return cursorAt(order, window.to, next.lastAbove);
  const read = new Set(places.map((place) => fingerprintOf(place.postId)));
  return {
    order,
    // A window that more posts have come into may be read again from far above the place.
    place: isNewer(readTo, place) ? place : readTo,
    window: { from: readTo, to: window.to, openedAt: window.openedAt, ...next },
    shown: fingerprintsIn(shown)
      .filter((fingerprint) => !read.has(fingerprint))
      .join(''),
  };
}
