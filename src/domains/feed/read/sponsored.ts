import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { PageRequest } from '../../../platform/paging.js';
import { parseJson } from '../../../platform/redis/redis-value.js';
import type { CountedConnection } from '../../../platform/totals.js';
import type { CacheDeps } from '../cache/deps.js';
import type { PostStore } from '../posts/post-store.js';
import { createReadThrough } from '../posts/read-through.js';
import type { Post } from '../types.js';
import { sql } from './sponsored.sql.js';
import { pageSponsored, type Sponsorship } from './sponsored-list.js';

/** There is one list. */
const ALL = 'all';
/** One that begins or ends by the clock does so in feeds within this time; one that is unsponsored, at once. */
const FRESH_MS = 5_000;
const idsShape = z.array(z.uuid());

interface SponsorInput {
  readonly postId: string;
  /** Null: now. Absent: as before, or now. */
  readonly startsAt?: Date | null | undefined;
  /** Null: until it is unsponsored. Absent: as before, or until it is unsponsored. */
  readonly endsAt?: Date | null | undefined;
}

export type Sponsored = ReturnType<typeof createSponsored>;

/** The table of sponsored posts. */
export function createSponsored(deps: CacheDeps & { readonly posts: PostStore; readonly clock: Clock }) {
  const { postgres, posts, clock } = deps;
  const lists = createReadThrough({
    ...deps,
    name: 'sponsored',
    load: async () => new Map([[ALL, { version: 0, body: JSON.stringify(await load()), lifeMs: FRESH_MS }]]),
    parse: (body) => parseJson(idsShape, body),
  });

  async function load(): Promise<readonly string[]> {
    const { rows } = await postgres.query(sql.active, [new Date(clock.now())]);
    return rows.map((row) => row.post_id);
  }

  async function find(postId: string): Promise<Post | undefined> {
    return isUuid(postId) ? (await posts.find([postId.toLowerCase()]))[0] : undefined;
  }

  return {
    /** The posts that run now; none where they cannot be read. */
    active: (): Promise<readonly string[]> =>
      lists.read([ALL]).then(
        ([postIds]) => postIds ?? [],
        () => [],
      ),

    /** All of them: see `pageSponsored`. */
    page: (page: PageRequest): Promise<CountedConnection<Sponsorship>> => pageSponsored(deps, page),

    /** Sponsors a public post, or changes when it runs, unless its time is over. Codes: NOT_FOUND, POST_NOT_PUBLIC, ENDS_BEFORE_START. */
    async sponsor(caller: Caller, { postId, startsAt, endsAt }: SponsorInput): Promise<Result<Post>> {
      const post = await find(postId);
      if (!post) return refused('NOT_FOUND', 'There is no such post', ['input', 'postId']);
      if (post.visibility !== 'public') {
        return refused('POST_NOT_PUBLIC', 'Only a public post can be sponsored', ['input', 'postId']);
      }
      const now = new Date(clock.now());
      const [before] = (await postgres.query(sql.find, [post.postId, now])).rows;
      const from = (startsAt === undefined ? before?.startsAt : startsAt) ?? now;
      const until = (endsAt === undefined ? before?.endsAt : endsAt) ?? null;
      if (until && until <= from) {
        return refused('ENDS_BEFORE_START', 'It would end before it starts', ['input', 'endsAt']);
      }
      await postgres.query(sql.sponsor, [post.postId, from, until, caller.viewer.userId]);
      await lists.refresh([ALL]);
      return ok(post);
    },

    /** Ends a sponsorship; a post that is not sponsored stays so. Code: NOT_FOUND where there is no such post. */
    async unsponsor(postId: string): Promise<Result<Post>> {
      const post = await find(postId);
      if (isUuid(postId)) await postgres.query(sql.unsponsor, [postId]);
      await lists.refresh([ALL]);
      return post ? ok(post) : refused('NOT_FOUND', 'There is no such post', ['input', 'postId']);
    },
  };
}
