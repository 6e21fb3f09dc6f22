import { v7 } from 'uuid';

export const VISIBILITIES = ['public', 'followers', 'private'] as const;
/** Who may see a post: all, the author's followers, or the author alone. */
export type Visibility = (typeof VISIBILITIES)[number];

/** In characters. */
export const MAX_USER_ID = 64;

/** A person as others see them. */
export interface User {
  /** The surrogate that follows use; never leaves the server. */
  readonly id: number;
  readonly userId: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly isVerified: boolean;
  readonly isCelebrity: boolean;
  readonly followerCount: number;
  readonly followingCount: number;
}

/** How a reader can react to a post; one of them at a time. */
export const REACTION_KINDS = ['LIKE', 'LOVE', 'HAHA', 'WOW', 'SAD', 'ANGRY'] as const;
export type ReactionKind = (typeof REACTION_KINDS)[number];

/** What others did with a post. `likes` counts LIKE alone: it is `reactions.LIKE`. */
export interface PostCounts {
  readonly reactions: Readonly<Record<ReactionKind, number>>;
  readonly comments: number;
  readonly shares: number;
}

/** An uploaded file as readers get it: CDN URLs, never the store's. */
export interface Media {
  readonly mediaId: string;
  readonly kind: 'image' | 'video';
  readonly state: 'uploaded' | 'processing' | 'ready' | 'failed';
  /** Null until it is ready. */
  readonly url: string | null;
  readonly failureReason: string | null;
  /** Smallest first. */
  readonly renditions: readonly {
    readonly name: string;
    readonly width: number | null;
    readonly height: number | null;
    readonly url: string;
  }[];
}

export interface Post {
  /** UUIDv7 */
  readonly postId: string;
  readonly author: User;
  readonly content: string;
  readonly media: readonly Media[];
  /** The URLs of `media` that are ready. */
  readonly mediaUrls: readonly string[];
  readonly visibility: Visibility;
  /** The post that this one shares, whether it still exists or not. */
  readonly sharedPostId: string | null;
  /** Whether it was pushed to feeds or is pulled by them: frozen when it was published. */
  readonly distribution: 'push' | 'pull';
  /** The labels of content policy. */
  readonly labels: readonly string[];
  /** SimHash of its text, 64 bits; null where the text is too short to compare, or not all that the post shows. */
  readonly fingerprint: bigint | null;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  /** Of LIKE alone. */
  readonly likeCount: number;
  readonly commentCount: number;
  readonly shareCount: number;
  readonly reactionCounts: Readonly<Record<ReactionKind, number>>;
}

/**
 * A place in time order: by creation time, siblings of the same millisecond by id. Everything that pages through posts
 * compares these pairs, in Redis and Postgres alike.
 */
export interface PostPlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly postId: string;
}

export const placeOf = (post: Post): PostPlace => ({ at: post.createdAt.getTime(), postId: post.postId });

/** The same of a row. */
export interface PlaceRow {
  readonly post_id: string;
  readonly created_at: Date;
}
export const placeOfRow = (row: PlaceRow): PostPlace => ({
  at: row.created_at.getTime(),
  postId: row.post_id,
});

/** Negative where `a` is newer: sorts newest first. */
export function newestFirst(a: PostPlace, b: PostPlace): number {
  return b.at - a.at || (a.postId < b.postId ? 1 : a.postId > b.postId ? -1 : 0);
}

/** Above every post. */
export const NOW_AND_LATER: PostPlace = {
  at: 8_640_000_000_000_000,
  postId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};
/** Below every post. */
export const BEGINNING: PostPlace = { at: 0, postId: '00000000-0000-0000-0000-000000000000' };

/** Below every UUIDv7 of this millisecond or later. */
export const firstIdAt = (ms: number): string => v7({ msecs: ms, random: new Uint8Array(16), seq: 0 });
