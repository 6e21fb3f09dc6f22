import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { isReady, KEY_PREFIX, type Redis } from '../../../platform/redis.js';
import type { PostStore } from '../posts/post-store.js';
import type { Post } from '../types.js';

const sql = loadStatements(new URL('./sponsored.sql', import.meta.url), ['active', 'sponsor', 'unsponsor']);
const KEY = `${KEY_PREFIX}:sponsored`;
/** One that begins or ends by the clock does so in feeds within this time; one that is taken back, at once. */
const FRESH_SECONDS = 5;
const idsShape = z.array(z.string());

export interface SponsorInput {
  readonly postId: string;
  /** Null: now. */
  readonly startsAt: Date | null;
  /** Null: until it is taken back. */
  readonly endsAt: Date | null;
}

/** The table of posts that somebody pays for. */
export interface Sponsored {
  /** The posts that run now; none where they cannot be known. */
  active(): Promise<readonly string[]>;
  /** Sponsors a public post, or changes when it runs. Codes: NOT_FOUND, POST_NOT_PUBLIC, ENDS_BEFORE_START. */
  sponsor(caller: Caller, input: SponsorInput): Promise<Result<Post>>;
  /** Takes a post back; one that is not sponsored stays so. Code: NOT_FOUND where there is no such post. */
  unsponsor(postId: string): Promise<Result<Post>>;
}

export function createSponsored(deps: {
  postgres: Queryable;
  redis: Redis;
  posts: PostStore;
  clock: Clock;
}): Sponsored {
  const { postgres, redis, posts, clock } = deps;
  let last: { readonly text: string; readonly postIds: readonly string[] } = { text: '[]', postIds: [] };

  function parse(text: string): readonly string[] {
    if (text !== last.text) last = { text, postIds: idsShape.parse(JSON.parse(text)) };
    return last.postIds;
  }

  async function readActive(): Promise<readonly string[]> {
    const { rows } = await postgres.query<{ post_id: string }>(sql.active, [new Date(clock.now())]);
    return rows.map((row) => row.post_id);
  }

  /** Written, not removed: a reader who asked Postgres before the change finds it there, and asks no more. */
  async function refresh(): Promise<void> {
    await redis.set(KEY, JSON.stringify(await readActive()), 'EX', FRESH_SECONDS);
  }

  async function find(postId: string): Promise<Post | undefined> {
    return isUuid(postId) ? (await posts.find([postId.toLowerCase()]))[0] : undefined;
  }

  return {
    async active() {
      const held = isReady(redis) ? await redis.get(KEY).catch(() => null) : null;
      if (held !== null) return parse(held);
      const postIds = await readActive().catch((): readonly string[] => []);
      void redis.set(KEY, JSON.stringify(postIds), 'EX', FRESH_SECONDS, 'NX').catch(() => undefined);
      return postIds;
    },

    async sponsor(caller, { postId, startsAt, endsAt }) {
      const post = await find(postId);
      if (!post) return refused('NOT_FOUND', 'There is no such post', ['input', 'postId']);
      if (post.visibility !== 'public') {
        return refused('POST_NOT_PUBLIC', 'Only a public post can be sponsored', ['input', 'postId']);
      }
      const from = startsAt ?? new Date(clock.now());
      if (endsAt && endsAt <= from) {
        return refused('ENDS_BEFORE_START', 'It would end before it starts', ['input', 'endsAt']);
      }
      await postgres.query(sql.sponsor, [post.postId, from, endsAt, caller.viewer.userId]);
      await refresh().catch(() => undefined);
      return ok(post);
    },

    async unsponsor(postId) {
      const post = await find(postId);
      if (isUuid(postId)) await postgres.query(sql.unsponsor, [postId]);
      await refresh().catch(() => undefined);
      return post ? ok(post) : refused('NOT_FOUND', 'There is no such post', ['input', 'postId']);
    },
  };
}
