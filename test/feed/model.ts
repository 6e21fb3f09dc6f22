import type { Visibility } from '../../src/domains/feed/index.js';

export interface ModelPost {
  readonly postId: string;
  readonly author: string;
  readonly visibility: Visibility;
  /** Frozen when it was published. */
  readonly isPulled: boolean;
  /** The post that it shares, if any; without a text of its own it is nothing but that. */
  readonly shares: ModelPost | null;
  content: string;
  /** In milliseconds since the epoch. */
  at: number;
  isDeleted: boolean;
}

/** What a post says that others may say too, however loud; null where its words are its own, or shared with another post. */
export const sayingOf = ({ content, shares }: ModelPost): string | null =>
  shares ? null : (/^(The|Our) .*?(?=!*$)/.exec(content)?.[0] ?? null);

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
   * What the viewer's feed shows now. Old posts that are pulled are shown only within a day of a visible post above them,
   * which depends on which of near-identical ones is visible: they may be there.
   */
  eligible(viewer: string, now: number): { readonly must: Set<string>; readonly may: Set<string> } {
    const seen = this.posts.filter((post) => this.isVisible(viewer, post));
    const isOld = (post: ModelPost): boolean =>
      post.isPulled && post.author !== viewer && post.at < now - PULLED_FOR_MS;
    const ids = (posts: ModelPost[]): Set<string> => new Set(posts.map((post) => post.postId));
    return { must: ids(seen.filter((post) => !isOld(post))), may: ids(seen) };
  }

  /** Whether somebody may see a post at all, in whatever list. */
  maySee(viewer: string, post: ModelPost): boolean {
    return !post.isDeleted && !this.isBlocked(viewer, post) && this.isMeantFor(viewer, post);
  }

  private isVisible(viewer: string, post: ModelPost): boolean {
    const isFollowed = post.author === viewer || this.has(this.follows, viewer, post.author);
    const isHeard = isFollowed && this.maySee(viewer, post) && !this.has(this.mutes, viewer, post.author);
    return isHeard && (post.shares === null || this.isShareVisible(viewer, post, post.shares));
  }

  private isShareVisible(viewer: string, share: ModelPost, original: ModelPost): boolean {
    if (original.isDeleted) return share.content !== '';
    if (this.has(this.mutes, viewer, original.author) || this.isBlocked(viewer, original)) return false;
    return share.content !== '' || this.isMeantFor(viewer, original);
  }

  private isMeantFor(viewer: string, { author, visibility }: ModelPost): boolean {
    if (author === viewer || visibility === 'public') return true;
    return visibility === 'followers' && this.has(this.follows, viewer, author);
  }

  private isBlocked(viewer: string, { author }: ModelPost): boolean {
    return this.has(this.blocks, viewer, author) || this.has(this.blocks, author, viewer);
  }

  private has(edges: Edges, from: string, to: string): boolean {
    return edges.get(from)?.has(to) ?? false;
  }
}
