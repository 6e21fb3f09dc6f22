import type { Visibility } from '../../src/domains/feed/index.js';

export interface ModelPost {
  readonly postId: string;
  readonly author: string;
  readonly visibility: Visibility;
  /** Frozen when it was published. */
  readonly isPulled: boolean;
  content: string;
  /** In milliseconds since the epoch. */
  at: number;
  isDeleted: boolean;
}

type Edges = Map<string, Set<string>>;
const PULLED_FOR_MS = 24 * 3_600_000;

/** What a feed must show, said as simply as can be: everything in memory, nothing cached. */
export class FeedModel {
  readonly posts: ModelPost[] = [];
  readonly follows: Edges = new Map();
  readonly mutes: Edges = new Map();
  readonly blocks: Edges = new Map();

  set(edges: Edges, from: string, to: string, isThere: boolean): void {
    const of = edges.get(from) ?? new Set();
    edges.set(from, of);
    if (isThere) of.add(to);
    else of.delete(to);
  }

  /**
   * What the viewer's feed shows now. Old posts that are pulled are shown only where a cursor comes within a day of them:
   * they may be there.
   */
  eligible(viewer: string, now: number): { readonly must: Set<string>; readonly may: Set<string> } {
    const seen = this.posts.filter((post) => this.isVisible(viewer, post));
    const isOld = (post: ModelPost): boolean =>
      post.isPulled && post.author !== viewer && post.at < now - PULLED_FOR_MS;
    const ids = (posts: ModelPost[]): Set<string> => new Set(posts.map((post) => post.postId));
    return { must: ids(seen.filter((post) => !isOld(post))), may: ids(seen) };
  }

  private isVisible(viewer: string, post: ModelPost): boolean {
    if (post.isDeleted) return false;
    if (post.author === viewer) return true;
    const has = (edges: Edges, from: string, to: string): boolean => edges.get(from)?.has(to) ?? false;
    return (
      post.visibility !== 'private' &&
      has(this.follows, viewer, post.author) &&
      !has(this.mutes, viewer, post.author) &&
      !has(this.blocks, viewer, post.author) &&
      !has(this.blocks, post.author, viewer)
    );
  }
}
