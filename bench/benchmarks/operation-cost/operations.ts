import { hash } from 'node:crypto';
import { FEED_PAGE } from '../feed-read/page.ts';

/** Who there is, and what they have published so far. */
export interface People {
  readonly count: number;
  readonly posts: string[];
}

/** One operation over GraphQL. */
export interface Operation {
  readonly name: string;
  /** So many before those that are measured. */
  readonly warmUp: number;
  request(people: People, n: number): { readonly userId: string; readonly query: string };
  /** Whether the answer says that it was done. */
  accept(people: People, data: Record<string, unknown>): boolean;
}

/** Users 0 to 63 read; each follows the 200 after them, and nobody follows the others. */
const READERS = 64;
const FOLLOWED = 200;
const user = (n: number): string => `user-${n}`;

/** Accounts of `count` users and of those who are read, and who follows whom. */
export const usersSql = (count: number): string => `
  INSERT INTO users (user_id, display_name, last_seen_at)
  SELECT 'user-' || n, 'person ' || n, now() FROM generate_series(0, ${READERS + FOLLOWED + count - 1}) n;
  INSERT INTO follows (follower_id, followee_id)
  SELECT r.id, a.id FROM generate_series(0, ${READERS - 1}) n, generate_series(${READERS}, ${READERS + FOLLOWED - 1}) m,
    users r, users a WHERE r.user_id = 'user-' || n AND a.user_id = 'user-' || m`;

/** Of those whom nobody follows. */
const writer = (people: People, n: number): string => user(READERS + FOLLOWED + (n % people.count));
/** 200 characters of which no two posts have many in common: a page leaves near copies out. */
const contentOf = (n: number): string =>
  [0, 1, 2]
    .map((part) => hash('sha256', `${part} of ${n}`).replaceAll(/.{7}/g, '$& '))
    .join(' ')
    .slice(0, 200);
const publish = (n: number): string =>
  `mutation { publishPost(input: { content: "${contentOf(n)}" }) { post { postId } } }`;
const postIdOf = (data: Record<string, unknown>): string | undefined =>
  (data.publishPost as { post?: { postId: string } } | null)?.post?.postId;
const done = (_: People, data: Record<string, unknown>): boolean =>
  Object.values(data).every((field) => (field as { userErrors: unknown[] } | null)?.userErrors.length === 0);

/** What readers find: posts of those whom they follow. */
export const seed: Operation = {
  name: 'post of somebody who is followed',
  warmUp: 2_000,
  request: (_, n) => ({ userId: user(READERS + (n % FOLLOWED)), query: publish(n) }),
  accept: (_, data) => postIdOf(data) !== undefined,
};

/** In the order in which they are measured: a page needs posts, and so does a reaction. */
export const operations: readonly Operation[] = [
  {
    name: 'page',
    warmUp: 3_000,
    request: (_, n) => ({ userId: user(n % READERS), query: FEED_PAGE }),
    accept: (_, data) => (data.feed as { edges: unknown[] } | null)?.edges.length === 20,
  },
  {
    name: 'post',
    warmUp: 500,
    request: (people, n) => ({ userId: writer(people, n), query: publish(n) }),
    accept: (people, data) => {
      const postId = postIdOf(data);
      if (postId) people.posts.push(postId);
      return postId !== undefined;
    },
  },
  {
    name: 'reaction',
    warmUp: 500,
    request: (people, n) => ({
      userId: writer(people, n + 7),
      query: `mutation { reactToPost(input: { postId: "${people.posts[n % people.posts.length]}", kind: LIKE }) { userErrors { code } } }`,
    }),
    accept: done,
  },
  {
    name: 'follow',
    warmUp: 500,
    request: (people, n) => ({
      userId: writer(people, n),
      query: `mutation { followUser(input: { userId: "${writer(people, n + 1 + Math.floor(n / people.count))}" }) { userErrors { code } } }`,
    }),
    accept: done,
  },
];
