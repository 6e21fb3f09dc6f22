import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { ReadableFeeds } from '../cache/feed-cache.js';
import type { Relations } from '../graph/relations.js';
import { BEGINNING, NOW_AND_LATER, newestFirst, type PostPlace } from '../types.js';
import { type FeedWindow, isNewer, lastAboveOf } from './feed-cursor.js';
import { CANDIDATES, isAtOrAbove, type SourcedPlace, type SourcePage } from './places.js';
import { pulledPlaces } from './pulled.js';
import { pushedPlaces } from './pushed.js';
import { mergeWithinADay } from './within-a-day.js';

/** Of a window that more posts have come into since it was opened: the rest is left for the next page. */
const READS_A_WINDOW = 3;
/** Above every id of a millisecond. */
const LAST_ID = NOW_AND_LATER.postId;

interface Deps {
  readonly postgres: Queryable;
  readonly cache: ReadableFeeds;
  readonly authorTimelines: AuthorTimelines;
}

/** The posts of a window, newest first, and how far down it was read. */
export interface Skeleton {
  readonly window: FeedWindow & { readonly to: PostPlace };
  /** Each once. */
  readonly places: readonly SourcedPlace[];
  /** At or above the window's end: what lies between was not read. */
  readonly readTo: PostPlace;
}

/**
 * Which posts come next, by place. A window that was not opened yet is opened: its end is the merge floor of what its
 * sources gave.
 *
 * @param relations awaited only where the viewer's celebrities are needed, so that both are read at the same time
 */
export async function skeleton(
  deps: Deps,
  viewerId: string,
  relations: Promise<Relations>,
  window: FeedWindow,
): Promise<Skeleton> {
  const { from, to } = window;
  let lastAbove = lastAboveOf(window);
  if (to === null) {
    const { places, cutAt } = await below(deps, viewerId, relations, from, lastAbove);
    const opened = { ...window, from: topOf(window, places[0]), to: cutAt ?? BEGINNING };
    return { window: opened, places, readTo: opened.to };
  }
  const places: SourcedPlace[] = [];
  let readTo = from;
  for (let reads = 0; reads < READS_A_WINDOW && isNewer(readTo, to); reads += 1) {
    const more = await below(deps, viewerId, relations, readTo, lastAbove);
    places.push(...more.places.filter(isAtOrAbove(to)));
    lastAbove = Math.min(lastAbove, more.places.at(-1)?.at ?? lastAbove);
    readTo = more.cutAt ?? BEGINNING;
  }
  return { window: { ...window, to }, places, readTo: isNewer(readTo, to) ? readTo : to };
}

/** The window's candidates below a place: what every source gives, merged. */
async function below(
  deps: Deps,
  viewerId: string,
  relations: Promise<Relations>,
  from: PostPlace,
  lastAbove: number,
): Promise<SourcePage> {
  const [pushed, pulled] = await Promise.all([
    pushedPlaces(deps, viewerId, from),
    relations.then(({ pulled: celebrities, muted, blocked }) => {
      // Rules would hide their posts one by one; until then they would cut every window short.
      const shown = celebrities.filter((authorId) => !muted.has(authorId) && !blocked.has(authorId));
      return pulledPlaces(deps, shown, from);
    }),
  ]);
  return mergeWithinADay(pushed, pulled, from, lastAbove, CANDIDATES);
}

/**
 * A feed's first window begins at the moment of its opening: what is published later is on a new first page. A post
 * may be a little ahead of this process' clock.
 */
function topOf({ from, openedAt }: FeedWindow, newest: PostPlace | undefined): PostPlace {
  return newestFirst(from, NOW_AND_LATER) === 0
    ? { at: Math.max(openedAt, newest?.at ?? 0), postId: LAST_ID }
    : from;
}
