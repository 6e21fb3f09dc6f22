import type { Registry } from 'prom-client';
import type { Viewer } from '../../../platform/auth.js';
import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { EventLog, RecordedEvent } from '../../../platform/event-log/index.js';
import type { FeedConfig } from '../../../platform/feed-config.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logger.js';
import type { Outbox } from '../../../platform/outbox/index.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Total } from '../../../platform/totals.js';
import type { RelationCache } from '../graph/relations.js';
import type { ContentPolicy } from '../posts/content-policy.js';
import type { PostStore } from '../posts/post-store.js';
import type { ReactionKind } from '../types.js';
import { type AddCommentInput, addComment, deleteComment } from './comment.js';
import { type Comment, type CommentsOf, countComments, findComments, pageComments } from './comments.js';
import { type Counts, findOriginals } from './counts.js';
import { createNoticeMetrics } from './notices/metrics.js';
import { addNotices, noticesOf } from './notices/notices.js';
import { type SendMessage, tellOfNotices } from './notices/tell.js';
import { reactToPost, removeReaction } from './react.js';
import { findViewerReactions, pageReactions, type Reaction } from './reactions.js';
import { createWriteBack } from './write-back.js';

export type { AddCommentInput } from './comment.js';
export type { Comment, CommentsOf } from './comments.js';
export { type Counts, createCounts } from './counts.js';
export { noticeOutbox, noticeEvents } from './notices/notices.js';
export type { Message, SendMessage } from './notices/tell.js';
export type { Reaction } from './reactions.js';
export * from './tasks.js';

/** What people do with posts: they react and comment. Each operation's promise stands at its own function. */
export interface Engagement {
  readonly counts: Counts;
  reactToPost(caller: Caller, postId: string, kind: ReactionKind): Promise<Result<null>>;
  removeReaction(caller: Caller, postId: string, kind?: ReactionKind): Promise<Result<null>>;
  viewerReactions(viewer: Viewer, postIds: readonly string[]): Promise<Map<string, ReactionKind>>;
  pageReactions(
    viewer: Viewer | null,
    postIds: readonly string[],
    kind: ReactionKind | null,
    page: PageRequest,
  ): Promise<Connection<Reaction>[]>;
  addComment(caller: Caller, input: AddCommentInput): Promise<Result<string>>;
  deleteComment(caller: Caller, commentId: string): Promise<Result<string>>;
  findComments(viewer: Viewer | null, commentIds: readonly string[]): Promise<Map<string, Comment>>;
  pageComments(
    viewer: Viewer | null,
    of: CommentsOf,
    ids: readonly string[],
    page: PageRequest,
  ): Promise<Connection<Comment>[]>;
  countComments(viewer: Viewer | null, of: CommentsOf, ids: readonly string[]): Promise<Map<string, Total>>;
  findOriginals(postIds: readonly string[]): Promise<string[]>;
  writeBackCounts(signal: AbortSignal): Promise<number>;
  countWaitingDeltas(): Promise<number>;
  /** Adds the notices of these events to the outbox, in the caller's transaction. Returns what enqueues their job after the commit. */
  addNotices(tx: Queryable, events: readonly RecordedEvent[]): Promise<() => Promise<void>>;
  tellOfNotices(send: SendMessage, logger: Logger, signal: AbortSignal): Promise<number>;
}

export function createEngagement(deps: {
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
}): Engagement {
  const closeFriends = deps.config.notifyCloseFriends;
  const metrics = createNoticeMetrics(deps.metrics);
  const hiddenLabels = new Set(deps.config.hiddenLabels);
  const writeBack = createWriteBack(deps);
  return {
    counts: deps.counts,
    reactToPost: (caller, postId, kind) => reactToPost(deps, caller, postId, kind),
    removeReaction: (caller, postId, kind) => removeReaction(deps, caller, postId, kind),
    viewerReactions: (viewer, postIds) => findViewerReactions(deps, viewer, postIds),
    pageReactions: (viewer, postIds, kind, page) => pageReactions(deps, viewer, postIds, kind, page),
    addComment: (caller, input) => addComment(deps, caller, input),
    deleteComment: (caller, commentId) => deleteComment(deps, caller, commentId),
    findComments: (viewer, commentIds) => findComments(deps, viewer, commentIds),
    pageComments: (viewer, of, ids, page) => pageComments(deps, viewer, of, ids, page),
    countComments: (viewer, of, ids) => countComments(deps, viewer, of, ids),
    findOriginals: (postIds) => findOriginals(deps, postIds),
    writeBackCounts: (signal) => writeBack.writeBack(signal),
    countWaitingDeltas: () => writeBack.countWaiting(),
    addNotices: (tx, events) =>
      addNotices(
        deps.outbox,
        tx,
        events.flatMap((event) => noticesOf(event, { closeFriends })),
      ),
    tellOfNotices: (send, logger, signal) =>
      tellOfNotices({ ...deps, send, metrics, hiddenLabels }, logger, signal),
  };
}
