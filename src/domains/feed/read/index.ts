import type { Viewer } from '../../../platform/auth.js';
import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import type { Redis } from '../../../platform/redis.js';
import type { PostPlace } from '../types.js';
import { createFeedCursors } from './cursors.js';
import type { FeedPage, FeedRequest } from './feed-page.js';
import { readFeed } from './read-feed.js';
import { createReadMarkers, type ReadMarkerStore } from './read-marker.js';
import { type RestPage, readRestPage } from './rest-page.js';
import { createSponsored, type Sponsored } from './sponsored.js';
import type { ReadDeps } from './steps.js';

export type { FeedEdge, FeedOrder, FeedPage, FeedReason, FeedRequest, ReadMarker } from './feed-page.js';
export { FEED_ORDERS } from './feed-page.js';
export type { ReadMarkerStore } from './read-marker.js';
export type { RestPage } from './rest-page.js';
export type { SponsorInput } from './sponsored.js';

/** What readers do with their feed. Each operation's promise stands at its own function. */
export interface Reader {
  /** See `readFeed`. */
  readFeed(viewer: Viewer, request: FeedRequest): Promise<FeedPage>;
  /** See `readRestPage`. */
  readRestPage(viewer: Viewer, below: PostPlace | null, limit: number): Promise<RestPage>;
  readonly markers: ReadMarkerStore;
  readonly sponsored: Pick<Sponsored, 'sponsor' | 'unsponsor' | 'page'>;
}

export function createReader(
  own: Omit<ReadDeps, 'sponsored' | 'cursors' | 'hiddenLabels'> & {
    readonly redis: Redis;
    readonly lease: CacheLease;
    readonly ids: Ids;
    readonly config: { readonly cursorSecret: string; readonly hiddenLabels: readonly string[] };
  },
): Reader {
  const cursors = createFeedCursors(own.config.cursorSecret);
  const sponsored = createSponsored(own);
  const deps = { ...own, cursors, sponsored, hiddenLabels: new Set(own.config.hiddenLabels) };
  return {
    readFeed: (viewer, request) => readFeed(deps, viewer, request),
    readRestPage: (viewer, below, limit) => readRestPage(deps, viewer, below, limit),
    markers: createReadMarkers(deps),
    sponsored,
  };
}
