import { PublicError } from '../../../platform/errors.js';
import { badCursor, type PageRequest } from '../../../platform/paging.js';
import type { Candidate } from '../ranking/rank.js';
import { BEGINNING, NOW_AND_LATER, type Post, type PostPlace, placeOf } from '../types.js';
import { cursorAt, type FeedCursor, fingerprintOf, fingerprintsIn, lastAboveOf } from './feed-cursor.js';
import type { FeedPage, FeedRequest } from './feed-page.js';
import { type Gathered, gather, mayReadOn, type ReadWindow } from './gather.js';
import { readNewer } from './newer.js';
import { isBelow } from './places.js';
import { presentPage } from './present.js';
import { mayBeShown } from './rules.js';
import { skeleton } from './skeleton.js';
import {
  applyRules,
  beginReading,
  hydrate,
  inOrder,
  type ReadDeps,
  type Reader,
  type Reading,
  viewOf,
} from './steps.js';
import { withinADay } from './within-a-day.js';

/**
 * The viewer's home feed: their own posts and those of the users whom they follow now, each eligible post exactly once, in
 * either order and with any page size. The number of round trips to Redis and Postgres does not grow with the page.
 *
 * @throws PublicError BAD_CURSOR for a cursor of another viewer or order; BAD_USER_INPUT for paging RANKED back
 */
export async function readFeed(deps: ReadDeps, viewer: Reader, request: FeedRequest): Promise<FeedPage> {
  const { order, page } = request;
  if (page.direction === 'backward' && order === 'RANKED')
    throw new PublicError('BAD_USER_INPUT', 'RANKED pages forward: use first and after');
  const start = startOf(deps, viewer, request);
  const liveCursor = request.withLiveCursor ? deps.startOfUpdates(viewer.userId) : undefined;
  // Before the page is read: what is published in between would be neither on the page nor among the updates.
  if (liveCursor) await liveCursor.catch(() => undefined);
  const reading = beginReading(deps, viewer, order, request.degraded ?? false);
  const found =
    page.direction === 'backward'
      ? await readNewer(deps, reading, page, start.place)
      : await readOlder(deps, reading, page, start);
  return liveCursor ? { ...found, liveCursor } : found;
}

async function readOlder(
  deps: ReadDeps,
  reading: Reading,
  page: PageRequest,
  start: FeedCursor,
): Promise<FeedPage> {
  const { sponsored, ...found } = await readWindows(deps, reading, start, page.limit);
  return presentPage(deps.cursors, reading.viewerId, page, found, sponsored, start.advertised);
}

function startOf(deps: ReadDeps, viewer: Reader, { order, page }: FeedRequest): FeedCursor {
  if (page.cursor === null) return cursorAt(order, NOW_AND_LATER);
  const start = deps.cursors.read(viewer.userId, page.cursor);
  if (start.order !== order) throw badCursor();
  return start;
}

/**
 * Skeleton, hydrate and rules, window by window, until there is enough for a page. On one way through a feed no post comes
 * twice: what was shown as sponsored is not shown again, and of users whom the reader follows only posts further down may
 * be sponsored.
 */
export async function readWindows(
  deps: ReadDeps,
  reading: Reading,
  start: FeedCursor,
  limit: number,
): Promise<Gathered & { readonly sponsored: readonly Post[] }> {
  let sponsored: readonly Post[] | undefined;
  const advertised = new Set(fingerprintsIn(start.advertised ?? ''));
  const isAdvertised = ({ postId }: Post): boolean => advertised.has(fingerprintOf(postId));
  const isNew = ({ post }: Candidate): boolean => !isAdvertised(post);
  const readWindow: ReadWindow = async (window) => {
    const found = await skeleton(deps, reading.viewerId, reading.relations, window);
    const offered = sponsored ? [] : await reading.sponsored;
    const postIds = found.places.map((place) => place.postId);
    const asked = [...postIds, ...offered.filter((postId) => !postIds.includes(postId))];
    const subjects = await hydrate(deps, asked);
    const view = await viewOf(deps, reading);
    sponsored ??= offered
      .flatMap((postId) => subjects[asked.indexOf(postId)] ?? [])
      .filter((subject) => mayBeShown(subject, view))
      .flatMap(({ post }) => (isAdvertised(post) ? [] : post));
    const { eligible, lastAbove } = withinADay(applyRules(found.places, subjects, view), lastAboveOf(window));
    const fresh = advertised.size === 0 ? eligible : eligible.filter(isNew);
    const ranked = await inOrder(deps, reading, fresh, found.window.openedAt);
    return { skeleton: found, ranked, lastAbove };
  };
  const gathered = await gather(readWindow, start, limit, reading.now, mayReadOn(deps.clock, reading.now));
  if (!sponsored || sponsored.length === 0) return { ...gathered, sponsored: [] };
  const { follows } = await reading.relations;
  const isFurtherDown = isBelow(lowestRead(gathered));
  return {
    ...gathered,
    sponsored: sponsored.filter((post) => {
      const { userId } = post.author;
      return (!follows.has(userId) && userId !== reading.viewerId) || isFurtherDown(placeOf(post));
    }),
  };
}

/** Posts at or above it were on a page, or will be, by the window that was begun. */
const lowestRead = ({ next }: Gathered): PostPlace =>
  next === null ? BEGINNING : (next.window.to ?? next.window.from);
