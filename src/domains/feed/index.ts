import type { Registry } from 'prom-client';
import { bind } from '../../platform/bind.js';
import type { CacheLease } from '../../platform/cache-lease.js';
import type { Clock } from '../../platform/clock.js';
import type { EventLog } from '../../platform/event-log/index.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { Outbox } from '../../platform/outbox/index.js';
import type { Postgres } from '../../platform/postgres.js';
import type { Queues } from '../../platform/queues.js';
import type { Redis } from '../../platform/redis.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';
import { createAuthorTimelines } from './cache/author-timelines.js';
import { createFeedCache } from './cache/feed-cache.js';
import { coldReads } from './cold-reads.js';
import type { FeedConfig } from './config.js';
import { createCounts, createEngagement } from './engagement/index.js';
import { createFanOutsDone } from './fan-out/done.js';
import { runFanOuts } from './fan-out/fan-out.js';
import { createFanOutMetrics } from './fan-out/fan-out-metrics.js';
import { forgetFanOuts } from './fan-out/forget-fan-outs.js';
import { placePublished } from './fan-out/place-published.js';
import { createGraph } from './graph/index.js';
import { createRelationCache } from './graph/relations.js';
import { createLinkPreviews, type LinkQuotas } from './links/index.js';
import { createAudience } from './live/audience.js';
import { createLiveCursors } from './live/cursors.js';
import { feedUpdates, startOfUpdates } from './live/live.js';
import { createPresence } from './live/presence.js';
import type { MediaConfig } from './media/config.js';
import { createMediaUploads } from './media/index.js';
import {
  createAuthorStore,
  createContentPolicy,
  createPostStore,
  createPosts,
  createSpamCheck,
  type SpamCheck,
} from './posts/index.js';
import { createRanking, loadRankingSettings } from './ranking/index.js';
import { createReader } from './read/index.js';

export {
  type Comment,
  type Engagement,
  noticeEvents,
  noticeOutbox,
  type Reaction,
  type SendMessage as SendFeedMessage,
  sendNoticesTask,
} from './engagement/index.js';
export { beginFanOuts } from './fan-out/fan-out.js';
export { enqueueFanOuts, fanOutOutbox, fanOutTask } from './fan-out/fan-out-task.js';
export { NO_RELATION, type Relation } from './graph/index.js';
export {
  enqueueLinkPreviews,
  fetchLinkPreviewTask,
  type LinkPreview,
} from './links/index.js';
export type { FeedUpdate } from './live/live.js';
export { cacheControlOf, isServed } from './media/keys.js';
export { enqueueMedia, processMediaTask } from './media/media-task.js';
export type { PostEdit, SpamCheck } from './posts/index.js';
export type {
  FeedEdge,
  FeedOrder,
  FeedPage,
  FeedReason,
  FeedRequest,
  ReadMarker,
  RestPage,
} from './read/index.js';
export { FEED_ORDERS } from './read/index.js';
export type { Media, Post, PostPlace, ReactionKind, User, Visibility } from './types.js';
export { REACTION_KINDS, VISIBILITIES } from './types.js';

/** The news feed: posts, follows, fan-out and reading. */
export type Feed = ReturnType<typeof createFeed>;

export function createFeed(own: {
  postgres: Postgres;
  redis: Redis;
  /** On this very Redis connection. */
  lease: CacheLease;
  log: EventLog;
  wakeUps: WakeUpPublisher;
  clock: Clock;
  ids: Ids;
  config: FeedConfig;
  queues: Pick<Queues, 'enqueueMany'>;
  outbox: Outbox;
  logger: Logger;
  metrics: Registry;
  media: MediaConfig;
  /** Without a slash at its end. */
  cdnUrl: string;
  /** Absent: requests to the hosts of links are not limited. */
  quotas?: LinkQuotas;
  /** Instead of the product's own. */
  spamCheck?: SpamCheck;
}) {
  const atOnce = Math.max(1, Math.floor((own.postgres.pool.options.max ?? 2) / 2));
  const cold = { ...own, postgres: coldReads(own.postgres, own.lease, atOnce) };
  const counts = createCounts(cold);
  const authors = createAuthorStore(cold);
  const parts = {
    ...own,
    cache: createFeedCache(own),
    authorTimelines: createAuthorTimelines(cold),
    presence: createPresence(own),
    fanOutMetrics: createFanOutMetrics(own.metrics),
    fanOutsDone: createFanOutsDone(own),
    relations: createRelationCache(cold),
    liveCursors: createLiveCursors(own.config.cursorSecret),
    counts,
    authors,
    posts: createPostStore({ ...cold, counts, authors }),
    spamCheck: own.spamCheck ?? createSpamCheck(own),
    contentPolicy: createContentPolicy(own.config.contentPolicy),
    ranking: createRanking({ ...own, settings: loadRankingSettings(own.config.ranking) }),
  };
  const deps = { ...parts, audience: createAudience(parts) };
  return {
    cache: deps.cache,
    authorTimelines: deps.authorTimelines,
    relations: deps.relations,
    engagement: createEngagement(deps),
    ranking: deps.ranking,
    links: createLinkPreviews(own),
    media: createMediaUploads({ ...own, config: own.media }),
    ...createGraph(deps),
    ...createPosts(deps),
    ...createReader({
      ...deps,
      postgres: cold.postgres,
      startOfUpdates: (viewerId: string) => startOfUpdates(deps, viewerId),
    }),
    ...bind(deps, { feedUpdates, placePublished, runFanOuts, forgetFanOuts }),
  };
}
