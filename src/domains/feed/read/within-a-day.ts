import type { Candidate } from '../ranking/rank.js';
import { NOW_AND_LATER, newestFirst, type PostPlace } from '../types.js';
import { isAtOrAbove, type SourcedPlace, type SourcePage } from './places.js';

/** How far back celebrities' posts are eligible (feed document, Limits). */
export const PULLED_FOR_MS = 24 * 3_600_000;

/*
 * A celebrity's post is eligible within a day of the visible post above it, of any author, and the first one within
 * a day of the moment of reading. That is a day counted back from the cursor of pages of one post; so what is eligible
 * does not depend on where pages end.
 */

/**
 * Of a window's visible posts those that are eligible, and the time of the last one of them, which the next window begins
 * with. What is near-identical counts, though it is not shown: which one is shown depends on the window.
 *
 * @param candidates newest first; each may be seen by its reader
 * @param lastAbove when the last visible post above them was published (ms)
 */
export function withinADay(
  candidates: readonly Candidate[],
  lastAbove: number,
): { readonly eligible: readonly Candidate[]; readonly lastAbove: number } {
  let last = lastAbove;
  const eligible = candidates.filter(({ post, source }) => {
    const at = post.createdAt.getTime();
    if (source === 'CELEBRITY' && last - at > PULLED_FOR_MS) return false;
    last = Math.min(last, at);
    return true;
  });
  return { eligible, lastAbove: last };
}

/**
 * The same from below: whether a celebrity's post is eligible is known once the one above it is. It is given one visible post
 * after the other, oldest first, and answers those that are known to be eligible by now.
 *
 * @param now the moment of reading (ms)
 */
export function eligibleUpwards<Visible extends Candidate>(now: number) {
  let undecided: Visible[] = [];
  const take = (): Visible[] => undecided.splice(0);
  return {
    next(one: Visible): readonly Visible[] {
      const at = one.post.createdAt.getTime();
      const below = undecided.at(-1)?.post.createdAt.getTime();
      if (below !== undefined && at - below > PULLED_FOR_MS) undecided = [];
      undecided.push(one);
      return one.source !== 'CELEBRITY' || now - at <= PULLED_FOR_MS ? take() : [];
    },
    /** Those that are still undecided. */
    rest: take,
  };
}

/** Just above every post of a millisecond. */
const above = ({ at }: PostPlace): PostPlace => ({ at, postId: NOW_AND_LATER.postId });

/**
 * Merges sources down to the **merge floor**: where one of them was cut short, what the others have below that is left
 * for later, so that nothing of the cut one is skipped. Leaves out celebrities' posts that no candidate above comes
 * within a day of. Where an author's list ends in such a gap, the rest of the gap is not read: the answer is cut above the
 * next post of another author, and goes on from there.
 *
 * @param pulled a page an author
 * @param from what was asked for lies below it
 * @param lastAbove as in `withinADay`
 */
export function mergeWithinADay(
  pushed: SourcePage,
  pulled: readonly SourcePage[],
  from: PostPlace,
  lastAbove: number,
  limit: number,
): SourcePage {
  const tails = pulled.flatMap(({ cutAt }) => cutAt ?? []).sort(newestFirst);
  const isTail = new Set(tails.map(({ postId }) => postId));
  const kept: SourcedPlace[] = [];
  let last = lastAbove;
  for (const place of inTimeOrder([pushed, ...pulled])) {
    if (pushed.cutAt && !isAtOrAbove(pushed.cutAt)(place)) break;
    const isPulled = place.source === 'CELEBRITY';
    if (isPulled && last - place.at > PULLED_FOR_MS) continue;
    // A tail that was kept is the floor: one above this place was left out.
    const endsGap = !isPulled && tails[0] !== undefined && newestFirst(tails[0], place) < 0;
    if (endsGap && place.at < from.at) return { places: kept, cutAt: above(place) };
    if (kept.length === limit) return { places: kept, cutAt: kept.at(-1)! };
    kept.push(place);
    last = Math.min(last, place.at);
    if (endsGap || isTail.has(place.postId)) return { places: kept, cutAt: place };
  }
  return pushed.cutAt ? { places: kept, cutAt: pushed.cutAt } : { places: kept };
}

/** All of them, once each; each source is in order already. */
function inTimeOrder(sources: readonly SourcePage[]): readonly SourcedPlace[] {
  const found = sources.filter(({ places }) => places.length > 0);
  if (found.length <= 1) return found[0]?.places ?? [];
  const byId = new Map(found.flatMap(({ places }) => places.map((place) => [place.postId, place])));
  return [...byId.values()].sort(newestFirst);
}
