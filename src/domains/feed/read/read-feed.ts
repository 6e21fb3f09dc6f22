import type { Viewer } from '../../../platform/auth.js';
import { PublicError } from '../../../platform/errors.js';
import { NOW_AND_LATER, type Post } from '../types.js';
import { badCursor } from './cursors.js';
import type { FeedPage, FeedRequest } from './feed-page.js';
import { type Gathered, gather, patience, type ReadWindow } from './gather.js';
import { readNewer } from './newer.js';
import { presentPage } from './present.js';
import { mayBeSponsored } from './rules.js';
import { skeleton } from './skeleton.js';
import { type Standing, standingAt } from './standing.js';
import { applyRules, beginReading, hydrate, inOrder, type ReadDeps, type Reading, viewOf } from './steps.js';

/**
 * The viewer's home feed: his own posts and those of whom he follows now, each that is eligible exactly once, in either
 * order and whatever the page size. What it takes from Redis and Postgres does not grow with what the page holds.
 *
 * @throws PublicError BAD_CURSOR for a cursor of another viewer or order; BAD_USER_INPUT for paging RANKED back
 */
export async function readFeed(deps: ReadDeps, viewer: Viewer, request: FeedRequest): Promise<FeedPage> {
  const { order, page } = request;
  if (page.direction === 'backward' && order === 'RANKED')
    throw new PublicError('BAD_USER_INPUT', 'RANKED pages forward: use first and after');
  const start = startOf(deps, viewer, request);
  const reading = beginReading(deps, viewer, order, request.degraded ?? false);
  if (page.direction === 'backward') return readNewer(deps, reading, page, start.place);
  const { sponsored, ...found } = await readWindows(deps, reading, start, page.limit);
  return presentPage(deps.cursors, viewer.userId, page, found, sponsored);
}

function startOf(deps: ReadDeps, viewer: Viewer, { order, page }: FeedRequest): Standing {
  if (page.cursor === null) return standingAt(order, NOW_AND_LATER);
  const start = deps.cursors.read(viewer.userId, page.cursor);
  if (start.order !== order) throw badCursor();
  return start;
}

/** Skeleton, hydrate and rules, window by window, until there is enough for a page. */
export async function readWindows(
  deps: ReadDeps,
  reading: Reading,
  start: Standing,
  limit: number,
): Promise<Gathered & { readonly sponsored: readonly Post[] }> {
  let sponsored: readonly Post[] | undefined;
  const readWindow: ReadWindow = async (window, notOlderFrom) => {
    const found = await skeleton(deps, reading.viewerId, reading.relations, window, notOlderFrom);
    const waiting = sponsored ? [] : await reading.sponsored;
    const postIds = found.places.map((place) => place.postId);
    const asked = [...postIds, ...waiting.filter((postId) => !postIds.includes(postId))];
    const subjects = await hydrate(deps, asked);
    const view = await viewOf(deps, reading);
    sponsored ??= waiting
      .flatMap((postId) => subjects[asked.indexOf(postId)] ?? [])
      .filter((subject) => mayBeSponsored(subject, view))
      .map(({ post }) => post);
    const candidates = applyRules(found.places, subjects, view);
    return { skeleton: found, ranked: await inOrder(deps, reading, candidates, found.window.openedAt) };
  };
  const gathered = await gather(readWindow, start, limit, reading.now, patience(deps.clock, reading.now));
  return { ...gathered, sponsored: sponsored ?? [] };
}
