import type { Registry } from 'prom-client';
import { bind } from '../../../platform/bind.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Outbox } from '../../../platform/outbox/index.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { FeedConfig } from '../config.js';
import type { RelationCache } from '../graph/relations.js';
import type { ContentPolicy } from '../posts/content-policy.js';
import type { PostStore } from '../posts/post-store.js';
import { addComment, deleteComment } from './comment.js';
import { countComments, findComments, pageComments } from './comments.js';
import { type Counts, findOriginals } from './counts.js';
import { createNoticeMetrics } from './notices/metrics.js';
import { addNotices } from './notices/notices.js';
import { sendNotices } from './notices/send.js';
import { reactToPost, removeReaction } from './react.js';
import { findViewerReactions, pageReactions } from './reactions.js';
import { createWriteBack } from './write-back.js';

export type { AddCommentInput } from './comment.js';
export type { Comment, CommentsOf } from './comments.js';
export { type Counts, createCounts } from './counts.js';
export { noticeEvents, noticeOutbox } from './notices/notices.js';
export type { Message, SendMessage } from './notices/send.js';
export type { Reaction } from './reactions.js';
export * from './tasks.js';

/** What people do with posts: they react and comment. */
export type Engagement = ReturnType<typeof createEngagement>;

export function createEngagement(own: {
  postgres: Queryable;
  log: EventLog;
  ids: Ids;
  counts: Counts;
  metrics: Registry;
  config: Pick<FeedConfig, 'notifyCloseFriends' | 'hiddenLabels'>;
  relations: RelationCache;
  posts: PostStore;
  outbox: Outbox;
  contentPolicy: ContentPolicy;
}) {
  const deps = {
    ...own,
    metrics: createNoticeMetrics(own.metrics),
    hiddenLabels: new Set(own.config.hiddenLabels),
  };
  const { writeBack, countWaiting } = createWriteBack(deps);
  return {
    counts: deps.counts,
    ...bind(deps, {
      reactToPost,
      removeReaction,
      viewerReactions: findViewerReactions,
      pageReactions,
      addComment,
      deleteComment,
      findComments,
      pageComments,
      countComments,
      findOriginals,
      addNotices,
      sendNotices,
    }),
    writeBackCounts: writeBack,
    countWaitingDeltas: countWaiting,
  };
}
