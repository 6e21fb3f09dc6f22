import type { Viewer } from '../../../platform/auth/auth.js';
import { NOW_AND_LATER, type Post, type PostPlace, placeOf } from '../types.js';
import { cursorAt } from './feed-cursor.js';
import type { Taken } from './gather.js';
import { turnOf } from './present.js';
import { readWindows } from './read-feed.js';
import { placeSponsored } from './sponsored-slots.js';
import { beginReading, type ReadDeps } from './steps.js';

/** A page of the feed document's REST endpoint. */
export interface RestPage {
  readonly posts: readonly { readonly post: Post; readonly isSponsored: boolean }[];
  /** What lies below this place comes next; null at the end. */
  readonly next: PostPlace | null;
}

/**
 * The newest posts below a place, ranked among themselves: a cursor that is a time cannot say more. `null` is the
 * feed's beginning.
 */
export async function readRestPage(
  deps: ReadDeps,
  viewer: Viewer,
  below: PostPlace | null,
  limit: number,
): Promise<RestPage> {
  const reading = beginReading(deps, viewer, 'LATEST', false);
  const start = cursorAt('LATEST', below ?? NOW_AND_LATER);
  const { taken, next, sponsored } = await readWindows(deps, reading, start, limit);
  const newest = taken.slice(0, limit);
  const organic = new Set(newest.map(({ ranked }) => ranked.post.postId));
  const advertised = sponsored.filter(({ postId }) => !organic.has(postId));
  const turn = turnOf(viewer.userId, newest[0]);
  const place = <Item>(items: readonly Item[]) => placeSponsored(items, advertised, limit, turn);
  const shown = place(newest).flatMap((slot): Taken[] => ('organic' in slot ? [slot.organic] : []));
  const ranked = deps.ranking.rank(
    shown.map((one) => one.ranked),
    { ...(await reading.ranking), now: reading.now },
  ).ranked;
  const end = shown.length < taken.length ? placeOf(shown.at(-1)!.ranked.post) : (next?.place ?? null);
  return {
    posts: place(ranked).map((slot) =>
      'organic' in slot
        ? { post: slot.organic.post, isSponsored: false }
        : { post: slot.sponsored, isSponsored: true },
    ),
    next: end,
  };
}
