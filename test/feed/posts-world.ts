import type { Counts } from '../../src/domains/feed/engagement/counts.js';
import { createAuthorStore } from '../../src/domains/feed/posts/author-store.js';
import { createPostStore, type PostStore } from '../../src/domains/feed/posts/post-store.js';
import type { CacheLease } from '../../src/platform/cache/cache-lease.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { isCluster, type Redis } from '../../src/platform/redis/redis.js';
import { type ConnectionEpoch, heldLease } from '../support/held-lease.js';
import type { FeedWorld } from './feed-world.js';
import type { Gate } from './posts-interleavings.js';

export const ids = uuidV7Ids(systemClock);

/** A row as publishing leaves it, without an event. */
export async function insertPost(world: FeedWorld, authorId: string, content: string): Promise<string> {
  const postId = ids.next();
  await world.postgres.query(
    `INSERT INTO posts (post_id, author_id, content, distribution, position, version, created_at)
     SELECT $1, id, $3, 'push', 1, 1, now() FROM users WHERE user_id = $2`,
    [postId, authorId, content],
  );
  return postId;
}

/** A store of its own on the world's servers, as another process has it; `gate` is passed before each step. */
export function storeOf(
  world: FeedWorld,
  gate: Gate = async () => undefined,
  epoch?: ConnectionEpoch,
  counts: Pick<Counts, 'of'> = { of: async () => [] },
): PostStore {
  const deps = {
    postgres: gatedPostgres(world.postgres, gate),
    redis: gatedRedis(world.redis, gate),
    ids,
    clock: systemClock,
    lease: epoch ? heldLease(world.redis, epoch) : leaseOf(world),
    wait: async () => undefined,
  };
  const ann = { ...ANN, userId: 'ann' };
  return createPostStore({
    ...deps,
    authors: { find: async () => new Map([['ann', ann]]), forget: async () => undefined },
    counts,
    cdnUrl: 'https://cdn.test',
  });
}

const ANN = {
  id: 1,
  displayName: 'Ann',
  avatarUrl: null,
  isVerified: false,
  isCelebrity: false,
  followerCount: 0,
  followingCount: 0,
};

export const authorsOf = (world: FeedWorld, now: () => number) =>
  createAuthorStore({ ...world, ids, clock: { now }, lease: leaseOf(world) });

const leases = new WeakMap<FeedWorld, CacheLease>();

function leaseOf(world: FeedWorld): CacheLease {
  const lease = leases.get(world) ?? heldLease(world.redis);
  leases.set(world, lease);
  return lease;
}

export function gatedPostgres(postgres: Queryable, gate: Gate): Queryable {
  return {
    async query(...args) {
      await gate();
      return postgres.query(...args);
    },
  };
}

/** Of a Cluster, which has no pipelines of several slots: reads and scripts, each by itself. */
const OF_A_CLUSTER: ReadonlySet<string | symbol> = new Set(['getBuffer', 'call', 'callBuffer', 'evalsha']);

/** Of what the stores use: MGET, SET, and pipelines as they are sent. */
export function gatedRedis(redis: Redis, gate: Gate): Redis {
  return new Proxy(redis, {
    get(target, name) {
      if (isCluster(redis) && OF_A_CLUSTER.has(name)) {
        return async (...args: unknown[]) => {
          await gate();
          return Reflect.apply(Reflect.get(target, name) as () => unknown, target, args);
        };
      }
      if (name === 'mgetBuffer') {
        return async (...keys: string[]) => {
          await gate();
          return target.mgetBuffer(...keys);
        };
      }
      if (name === 'set') {
        return async (...args: Parameters<Redis['set']>) => {
          await gate();
          return target.set(...args);
        };
      }
      if (name === 'pipeline') {
        return () => {
          const pipeline = target.pipeline();
          const send = pipeline.exec.bind(pipeline);
          pipeline.exec = async () => {
            await gate();
            return send();
          };
          return pipeline;
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
