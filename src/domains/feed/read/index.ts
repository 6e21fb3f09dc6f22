import { bind } from '../../../platform/bind.js';
import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import type { Redis } from '../../../platform/redis.js';
import { createFeedCursors } from './cursors.js';
import { readFeed } from './read-feed.js';
import { createReadMarkers } from './read-marker.js';
import { readRestPage } from './rest-page.js';
import { createSponsored } from './sponsored.js';
import type { ReadDeps } from './steps.js';

export type { FeedEdge, FeedOrder, FeedPage, FeedReason, FeedRequest, ReadMarker } from './feed-page.js';
export { FEED_ORDERS } from './feed-page.js';
export type { RestPage } from './rest-page.js';

/** What readers do with their feed. */
export function createReader(
  own: Omit<ReadDeps, 'sponsored' | 'cursors' | 'hiddenLabels'> & {
    readonly redis: Redis;
    readonly lease: CacheLease;
    readonly ids: Ids;
    readonly config: { readonly cursorSecret: string; readonly hiddenLabels: readonly string[] };
  },
) {
  const cursors = createFeedCursors(own.config.cursorSecret);
  const sponsored = createSponsored(own);
  const deps = { ...own, cursors, sponsored, hiddenLabels: new Set(own.config.hiddenLabels) };
  return { ...bind(deps, { readFeed, readRestPage }), markers: createReadMarkers(deps), sponsored };
}
