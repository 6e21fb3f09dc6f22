export const VISIBILITIES = ['public', 'followers', 'private'] as const;
/** Who may see a post: everybody, the author's followers, or the author alone. */
export type Visibility = (typeof VISIBILITIES)[number];

/** In characters. */
export const MAX_USER_ID = 64;

/** A person as others see them. */
export interface User {
  /** The surrogate that follow edges use; never leaves the server. */
  readonly id: number;
  readonly userId: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly isVerified: boolean;
  readonly isCelebrity: boolean;
  readonly followerCount: number;
  readonly followingCount: number;
}

export interface Post {
  /** UUIDv7 */
  readonly postId: string;
  readonly author: User;
  readonly content: string;
  readonly mediaUrls: readonly string[];
  readonly visibility: Visibility;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  readonly likeCount: number;
  readonly commentCount: number;
  readonly shareCount: number;
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
