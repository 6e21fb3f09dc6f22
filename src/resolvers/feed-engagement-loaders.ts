import DataLoader from 'dataloader';
import type { Comment, Engagement, Reaction, ReactionKind } from '../domains/feed/index.js';
import type { Viewer } from '../platform/auth.js';
import { exactly, type Total } from '../platform/totals.js';
import { PagedLoader } from './paged-loader.js';

/** What an operation asks of reactions and comments: one statement for whatever a page holds. */
export interface EngagementLoaders {
  /** The viewer's own, by post. */
  readonly viewerReaction: DataLoader<string, ReactionKind | null>;
  /** Of posts that the viewer may see; `null`: of every kind. */
  reactions(kind: ReactionKind | null): PagedLoader<Reaction>;
  /** Comments that the viewer may see. */
  readonly comment: DataLoader<string, Comment | null>;
  /** By post. */
  readonly comments: PagedLoader<Comment>;
  readonly commentTotal: DataLoader<string, Total>;
  /** By comment. */
  readonly replies: PagedLoader<Comment>;
  readonly replyTotal: DataLoader<string, Total>;
}

export function createEngagementLoaders(
  app: { readonly feed: { readonly engagement: Engagement } },
  viewer: Viewer | null,
): EngagementLoaders {
  const byKind = new Map<ReactionKind | null, PagedLoader<Reaction>>();
  return {
    viewerReaction: new DataLoader(async (postIds) => {
      const kinds = viewer
        ? await app.feed.engagement.viewerReactions(viewer, postIds)
        : new Map<string, ReactionKind>();
      return postIds.map((postId) => kinds.get(postId) ?? null);
    }),
    reactions(kind) {
      const known = byKind.get(kind);
      if (known) return known;
      const loader = new PagedLoader<Reaction>((postIds, page) =>
        app.feed.engagement.pageReactions(viewer, postIds, kind, page),
      );
      byKind.set(kind, loader);
      return loader;
    },
    comment: new DataLoader(async (commentIds) => {
      const comments = await app.feed.engagement.findComments(viewer, commentIds);
      return commentIds.map((commentId) => comments.get(commentId.toLowerCase()) ?? null);
    }),
    comments: new PagedLoader((postIds, page) =>
      app.feed.engagement.pageComments(viewer, 'posts', postIds, page),
    ),
    commentTotal: new DataLoader(async (postIds) => {
      const totals = await app.feed.engagement.countComments(viewer, 'posts', postIds);
      return postIds.map((postId) => totals.get(postId) ?? exactly(0));
    }),
    replies: new PagedLoader((commentIds, page) =>
      app.feed.engagement.pageComments(viewer, 'comments', commentIds, page),
    ),
    replyTotal: new DataLoader(async (commentIds) => {
      const totals = await app.feed.engagement.countComments(viewer, 'comments', commentIds);
      return commentIds.map((commentId) => totals.get(commentId) ?? exactly(0));
    }),
  };
}
