import { z } from 'zod';
import { createLoadingCache } from '../../../platform/cache/loading-cache.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isReady, KEY_PREFIX, type Redis } from '../../../platform/redis/redis.js';
import { parseRedisValue } from '../../../platform/redis/redis-value.js';
import { findClosest } from './interactions.js';
import type { RankingSettings } from './settings.js';

/** By author's user id, from −1 (the viewer keeps hiding them) over 0 (no interaction) to 1. */
export type AffinityOf = (authorId: string) => number;

/** A reader may have interacted with many authors; the affinity to the rest is close to 0. */
const CLOSEST = 500;
const LIFE_MS = 5 * 60_000;
const PROCESS_LIFE_MS = 30_000;
/** Authors that a process keeps, over all viewers: about 100 bytes each. */
const REMEMBERED = 200_000;

const shape = z.record(z.string(), z.number().min(-1).max(1));

/** Null where this version did not write it: it is computed again. */
function parse(cached: string | null): ReadonlyMap<string, number> | null {
  const read = cached === null ? undefined : parseRedisValue('affinities', shape, cached);
  return read ? new Map(Object.entries(read)) : null;
}

/** How close viewers are to authors, by their interactions with them and their posts. */
export function createAffinities(deps: {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly clock: { now(): number };
  readonly affinity: RankingSettings['affinity'];
}) {
  const { redis, affinity } = deps;
  const known = createLoadingCache<ReadonlyMap<string, number>>({
    maxSize: REMEMBERED,
    sizeOf: (authors) => 1 + authors.size,
    lifetimeOf: () => PROCESS_LIFE_MS,
  });

  async function load(viewerId: string): Promise<ReadonlyMap<string, number>> {
    const key = `${KEY_PREFIX}:feed:affinities:${viewerId}`;
    const cached = isReady(redis) ? await redis.get(key).then(parse, () => null) : null;
    if (cached) return cached;
    const sums = await findClosest(deps, viewerId, deps.clock.now(), CLOSEST);
    const closeness = new Map(
      [...sums].map(([authorId, sum]) => [authorId, normalize(sum, affinity.halfAt)]),
    );
    // Where this fails, each process reads Postgres itself.
    void redis.set(key, JSON.stringify(Object.fromEntries(closeness)), 'PX', LIFE_MS).catch(() => undefined);
    return closeness;
  }

  return {
    /**
     * At most five minutes old. One round trip to Redis, or none; one statement where Redis does not have it.
     *
     * @returns at once where the process has it
     * @throws Postgres' error, where neither the process nor Redis has it
     */
    of(viewerId: string): AffinityOf | Promise<AffinityOf> {
      const authors = known.get(viewerId, load);
      return authors instanceof Promise ? authors.then(within) : within(authors);
    },
  };
}

const within =
  (authors: ReadonlyMap<string, number>): AffinityOf =>
  (authorId) =>
    authors.get(authorId) ?? 0;

/** sum / (|sum| + halfAt), to four digits: all processes score alike, and a viewer takes little memory in Redis. */
const normalize = (sum: number, halfAt: number): number =>
  Math.round((sum / (Math.abs(sum) + halfAt)) * 10_000) / 10_000;
