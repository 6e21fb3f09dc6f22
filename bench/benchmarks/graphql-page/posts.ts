/** A post as memory holds it. */
export interface Post {
  readonly id: string;
  readonly postId: string;
  readonly authorId: string;
  readonly content: string;
  readonly createdAt: Date;
  readonly likeCount: number;
  readonly commentCount: number;
  readonly shareCount: number;
  readonly mediaUrls: readonly string[];
}

export interface Author {
  readonly userId: string;
  readonly displayName: string;
  readonly avatarUrl: string;
  readonly isVerified: boolean;
}

const epoch = Date.UTC(2026, 0, 1);

/** Fifty people. */
export const authors: ReadonlyMap<string, Author> = new Map(
  Array.from({ length: 50 }, (_, n): [string, Author] => [
    `user-${n}`,
    {
      userId: `user-${n}`,
      displayName: `Person Number ${n}`,
      avatarUrl: `https://cdn.example.com/avatars/user-${n}.jpg`,
      isVerified: n % 7 === 0,
    },
  ]),
);

/** A thousand posts of about 140 characters, newest first, by all of them in turn. */
export const posts: readonly Post[] = Array.from({ length: 1000 }, (_, n) => ({
  id: `Post:${n}`,
  postId: `post-${n}`,
  authorId: `user-${(n * 17) % authors.size}`,
  content: `Post ${n}: ${'the quick brown fox jumps over the lazy dog. '.repeat(3)}`.trimEnd(),
  createdAt: new Date(epoch - n * 60_000),
  likeCount: (n * 31) % 500,
  commentCount: (n * 13) % 90,
  shareCount: (n * 7) % 40,
  mediaUrls: Array.from({ length: n % 3 }, (_, m) => `https://cdn.example.com/media/${n}-${m}.jpg`),
}));
