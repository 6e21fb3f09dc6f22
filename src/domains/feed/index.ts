import type { Registry } from 'prom-client';
import type { Viewer } from '../../platform/auth.js';
import type { CacheLease } from '../../platform/cache-lease.js';
import type { Clock } from '../../platform/clock.js';
import type { MediaConfig } from '../../platform/config.js';
import type { EventLog } from '../../platform/event-log/index.js';
import type { FeedConfig } from '../../platform/feed-config.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { Outbox } from '../../platform/outbox/index.js';
import type { Postgres } from '../../platform/postgres.js';
import type { Queues } from '../../platform/queues.js';
import type { Redis } from '../../platform/redis.js';
import type { WakeUpHub, WakeUpPublisher } from '../../platform/wake-ups.js';
import { createFeedCache, type FeedCache } from './cache/feed-cache.js';
import { createOutboxes, type Outboxes } from './cache/outbox.js';
import { coldReads } from './cold-reads.js';
import { createCounts, createEngagement, type Engagement } from './engagement/index.js';
import { createFanOutsDone } from './fan-out/done.js';
import { runFanOuts } from './fan-out/fan-out.js';
import { createFanOutMetrics } from './fan-out/fan-out-metrics.js';
import { forgetFanOuts } from './fan-out/forget-fan-outs.js';
import { placePublished } from './fan-out/place-published.js';
import { createGraph, type Graph } from './graph/index.js';
import { createRelationCache, type RelationCache } from './graph/relations.js';
import { createLinkPreviews, type LinkPreviews, type LinkQuotas } from './links/index.js';
import { createAudience } from './live/audience.js';
import { createLiveCursors } from './live/cursors.js';
import { type FeedUpdate, feedUpdates, startOfUpdates } from './live/live.js';
import { createPresence } from './live/presence.js';
import { createMediaRoom, type MediaRoom } from './media/index.js';
import {
  createAuthorStore,
  createContentPolicy,
  createPostStore,
  createPosts,
  createSpamCheck,
  type Posts,
  type SpamCheck,
} from './posts/index.js';
import { createRanking, loadRankingSettings, type Ranking } from './ranking/index.js';
import { createReader, type Reader } from './read/index.js';

export {
  type Comment,
  type Engagement,
  NOTIFY_QUEUE,
  noticeOutbox,
  type Reaction,
  type SendMessage as SendFeedMessage,
  tellOfNoticesTask,
  noticeEvents,
} from './engagement/index.js';
export { beginFanOuts } from './fan-out/fan-out.js';
export { enqueueFanOuts, FAN_OUT_QUEUE, fanOutOutbox, fanOutTask } from './fan-out/fan-out-task.js';
export { type Relation, STRANGERS } from './graph/index.js';
export {
  enqueueLinkPreviews,
  fetchLinkPreviewTask,
  LINK_PREVIEW_QUEUE,
  type LinkPreview,
  type LinkPreviews,
} from './links/index.js';
export type { FeedUpdate } from './live/live.js';
export type { MediaRoom } from './media/index.js';
export { cacheControlOf, isServed } from './media/keys.js';
export { MEDIA_QUEUE, processMediaTask, ringMedia } from './media/media-task.js';
export type { PostEdit, SpamCheck } from './posts/index.js';
export type {
  FeedEdge,
  FeedOrder,
  FeedPage,
  FeedReason,
  FeedRequest,
  Reader,
  ReadMarker,
  RestPage,
} from './read/index.js';
export { FEED_ORDERS } from './read/index.js';
export type { Media, Post, PostPlace, ReactionKind, User, Visibility } from './types.js';
export { REACTION_KINDS, VISIBILITIES } from './types.js';

/** The news feed: posts, follows, fan-out and reading. Each operation's promise stands at its own function. */
export interface Feed extends Graph, Posts, Reader {
  readonly cache: FeedCache;
  readonly outboxes: Outboxes;
  readonly relations: RelationCache;
  readonly engagement: Engagement;
  readonly ranking: Ranking;
  readonly media: MediaRoom;
  readonly links: LinkPreviews;
  feedUpdates(
    hub: WakeUpHub,
    viewer: Viewer,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<FeedUpdate, void>;
  placePublished(postIds: readonly string[]): Promise<void>;
  runFanOuts(authorId: string, logger: Logger): Promise<{ more: boolean }>;
  forgetFanOuts(): Promise<number>;
}

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
  /** Absent: hosts of links are asked as often as there are links. */
  quotas?: LinkQuotas;
  /** Instead of the one that the product brings. */
  spamCheck?: SpamCheck;
}): Feed {
  const atOnce = Math.max(1, Math.floor((own.postgres.pool.options.max ?? 2) / 2));
  const cold = { ...own, postgres: coldReads(own.postgres, own.lease, atOnce) };
  const counts = createCounts(cold);
  const authors = createAuthorStore(cold);
  const deps = {
    ...own,
    cache: createFeedCache(own),
    outboxes: createOutboxes(cold),
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
  const audience = createAudience(deps);
  return {
    cache: deps.cache,
    outboxes: deps.outboxes,
    relations: deps.relations,
    engagement: createEngagement(deps),
    ranking: deps.ranking,
    links: createLinkPreviews(own),
    media: createMediaRoom({ ...own, config: own.media }),
    ...createGraph(deps),
    ...createPosts(deps),
    ...createReader({
      ...deps,
      postgres: cold.postgres,
      startOfUpdates: (viewerId) => startOfUpdates(deps, viewerId),
    }),
    feedUpdates: (hub, viewer, after, signal) =>
      feedUpdates({ ...deps, audience, hub }, viewer, after, signal),
    placePublished: (postIds) => placePublished(deps, postIds),
    runFanOuts: (authorId, logger) => runFanOuts(deps, authorId, logger),
    forgetFanOuts: () => forgetFanOuts(deps),
  };
}
