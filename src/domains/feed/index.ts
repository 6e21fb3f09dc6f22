import type { Registry } from 'prom-client';
import { bind } from '../../platform/bind.js';
import type { Clock } from '../../platform/clock.js';
import type { EventLog } from '../../platform/event-log/index.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Outbox } from '../../platform/outbox/index.js';
import type { Postgres } from '../../platform/postgres/postgres.js';
import type { Queues } from '../../platform/queues/queues.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { createAuthorTimelines } from './cache/author-timelines.js';
import type { CacheDeps } from './cache/deps.js';
import { createFeedCache, lookedAt } from './cache/feed-cache.js';
import { coldReads } from './cold-reads.js';
import type { FeedConfig } from './config.js';
import { createCounts } from './engagement/counts.js';
import { createEngagement } from './engagement/index.js';
import { createNoticeMetrics } from './engagement/notices/send.js';
import { createFanOutsDone, forgetFanOuts } from './fan-out/done.js';
import { createFanOutMetrics, placePublished, runFanOuts } from './fan-out/fan-out.js';
import { createGraph } from './graph/index.js';
import { createRelationCache } from './graph/relations.js';
import { createLinkPreviews, type LinkQuotas } from './links/index.js';
import { createAudience } from './live/audience.js';
import { createLiveCursors } from './live/cursors.js';
import { feedUpdates, startOfUpdates } from './live/live.js';
import { createMissedPosts } from './live/missed-posts.js';
import { createPresence } from './live/presence.js';
import type { MediaConfig } from './media/config.js';
import { createMediaUploads } from './media/index.js';
import { createAuthorStore } from './posts/author-store.js';
import { createContentPolicy } from './posts/content-policy.js';
import { createPosts } from './posts/index.js';
import { createPostStore } from './posts/post-store.js';
import { createSpamCheck, type SpamCheck } from './posts/spam-check.js';
import { createRanking, loadRankingSettings } from './ranking/index.js';
import { createFeedCursors } from './read/cursors.js';
import { readFeed } from './read/read-feed.js';
import { createReadMarkers } from './read/read-marker.js';
import { createReadMetrics } from './read/read-metrics.js';
import { readRestPage } from './read/rest-page.js';
import { createSponsored } from './read/sponsored.js';

export type { Comment } from './engagement/comments.js';
export type { Engagement } from './engagement/index.js';
export { noticeEvents, noticeOutbox } from './engagement/notices/notices.js';
export type { FeedMessages, SendMessage as SendFeedMessage } from './engagement/notices/send.js';
export { sendNoticesTask } from './engagement/notices/send-task.js';
export { undoneReactionOutbox } from './engagement/notices/undone.js';
export type { Reaction } from './engagement/reactions.js';
export { feedEventTypes } from './events.js';
export { beginFanOuts } from './fan-out/fan-out.js';
export { enqueueFanOuts, fanOutOutbox, fanOutTask } from './fan-out/fan-out-task.js';
export { NO_RELATION, type Relation } from './graph/users.js';
export type { LinkPreview } from './links/index.js';
export { enqueueLinkPreviews, fetchLinkPreviewTask } from './links/preview-task.js';
export type { FeedUpdate } from './live/live.js';
export { cacheControlOf, isServed } from './media/keys.js';
export { enqueueMedia, processMediaTask, processTask } from './media/media-task.js';
export type { PostEdit } from './posts/edit.js';
export { MAX_MEDIA } from './posts/faults.js';
export type { SpamCheck } from './posts/spam-check.js';
export {
  FEED_ORDERS,
  type FeedEdge,
  type FeedOrder,
  type FeedPage,
  type FeedReason,
  type FeedRequest,
  type ReadMarker,
} from './read/feed-page.js';
export type { RestPage } from './read/rest-page.js';
export type { Media, Post, PostPlace, ReactionKind, User, Visibility } from './types.js';
export { REACTION_KINDS, VISIBILITIES } from './types.js';

/** The news feed: posts, follows, fan-out and reading. */
export type Feed = ReturnType<typeof createFeed>;

export function createFeed(
  own: CacheDeps & {
    postgres: Postgres;
    log: EventLog;
    wakeUps: WakeUpPublisher;
    clock: Clock;
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
  },
) {
  const { config, metrics } = own;
  const atOnce = Math.max(1, Math.floor((own.postgres.pool.options.max ?? 2) / 2));
  const cold = { ...own, postgres: coldReads(own.postgres, own.lease, atOnce) };
  const counts = createCounts(cold);
  const authors = createAuthorStore(cold);
  const parts = {
    ...own,
    cache: createFeedCache(own),
    authorTimelines: createAuthorTimelines(cold),
    presence: createPresence(own),
    fanOutMetrics: createFanOutMetrics(metrics),
    noticeMetrics: createNoticeMetrics(metrics),
    hiddenLabels: new Set(config.hiddenLabels),
    fanOutsDone: createFanOutsDone(cold),
    missedPosts: createMissedPosts(cold),
    relations: createRelationCache(cold),
    liveCursors: createLiveCursors(config.cursorSecret),
    cursors: createFeedCursors(config.cursorSecret),
    counts,
    authors,
    posts: createPostStore({ ...cold, counts, authors }),
    spamCheck: own.spamCheck ?? createSpamCheck(own),
    contentPolicy: createContentPolicy(config.contentPolicy),
    ranking: createRanking({ ...own, settings: loadRankingSettings(config.ranking) }),
  };
  const deps = { ...parts, audience: createAudience(parts) };
  const reading = { ...deps, postgres: cold.postgres };
  const sponsored = createSponsored(reading);
  const { timed } = createReadMetrics(metrics);
  const read = { ...reading, sponsored, ...bind(deps, { startOfUpdates }) };
  return {
    cache: deps.cache,
    authorTimelines: deps.authorTimelines,
    relations: deps.relations,
    ranking: deps.ranking,
    sponsored,
    engagement: createEngagement(deps),
    links: createLinkPreviews(own),
    media: createMediaUploads({ ...own, config: own.media }),
    markers: createReadMarkers(reading),
    ...createGraph(deps),
    ...createPosts(deps),
    ...bind(read, { readFeed: timed(readFeed), readRestPage: timed(readRestPage) }),
    /** As `readFeed`, for somebody else than the reader: nothing of the feed changes, and no read is counted. */
    ...bind({ ...read, cache: lookedAt(deps.cache) }, { lookAtFeed: readFeed }),
    ...bind(deps, { feedUpdates, placePublished, runFanOuts, forgetFanOuts }),
  };
}
