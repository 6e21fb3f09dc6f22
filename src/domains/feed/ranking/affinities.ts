import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres.js';
import { forEverybody } from '../../../platform/reader.js';
import { isReady, KEY_PREFIX, type Redis } from '../../../platform/redis.js';
import { parseRedisValue } from '../../../platform/redis-value.js';
import { findClosest } from './interactions.js';
import type { RankingSettings } from './settings.js';

/** How close viewers are to authors, by what they did with their posts and with them. */
export interface Affinities {
  /**
   * By author's user id, from −1 (the viewer keeps hiding them) over 0 (a stranger) to 1. At most five minutes old. One
   * round trip to Redis, or none; one statement where Redis does not know.
   *
   * @returns at once where the process knows
   * @throws whatever Postgres throws, where neither the process nor Redis knows
   */
  of(viewerId: string): AffinityOf | Promise<AffinityOf>;
}
type AffinityOf = (authorId: string) => number;

/** Whom a reader ever dealt with may be many; the rest are all but strangers. */
const CLOSEST = 500;
const LIFE_MS = 5 * 60_000;
const PROCESS_LIFE_MS = 30_000;
/** Authors that a process remembers, over all viewers: about 100 bytes each. */
const REMEMBERED = 200_000;

const shape = z.record(z.string(), z.number().min(-1).max(1));

/** Null for what this version did not write: it is made anew. */
function parse(cached: string | null): ReadonlyMap<string, number> | null {
  const read = cached === null ? undefined : parseRedisValue('affinities', shape, cached);
  return read ? new Map(Object.entries(read)) : null;
}

export function createAffinities(deps: {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly clock: { now(): number };
  readonly affinity: RankingSettings['affinity'];
}): Affinities {
  const { redis, affinity } = deps;
  const known = new LRUCache<string, ReadonlyMap<string, number>>({
    maxSize: REMEMBERED,
    sizeCalculation: (authors) => 1 + authors.size,
    ttl: PROCESS_LIFE_MS,
    // Many readings of one viewer at once wait for one answer.
    fetchMethod: (viewerId) => forEverybody(() => load(viewerId)),
  });

  async function load(viewerId: string): Promise<ReadonlyMap<string, number>> {
    const key = `${KEY_PREFIX}:feed:affinities:${viewerId}`;
    const cached = isReady(redis) ? await redis.get(key).then(parse, () => null) : null;
    if (cached) return cached;
    const sums = await findClosest(deps, viewerId, deps.clock.now(), CLOSEST);
    const closeness = new Map(
      [...sums].map(([authorId, sum]) => [authorId, normalize(sum, affinity.halfAt)]),
    );
    // Whoever is not told reads Postgres himself.
    void redis.set(key, JSON.stringify(Object.fromEntries(closeness)), 'PX', LIFE_MS).catch(() => undefined);
    return closeness;
  }

  return {
    of(viewerId) {
      const authors = known.get(viewerId);
      return authors ? within(authors) : known.fetch(viewerId).then((fetched) => within(fetched!));
    },
  };
}

const within =
  (authors: ReadonlyMap<string, number>): AffinityOf =>
  (authorId) =>
    authors.get(authorId) ?? 0;

/** sum / (|sum| + halfAt), to four digits: all processes score alike, and a viewer takes little room in Redis. */
const normalize = (sum: number, halfAt: number): number =>
  Math.round((sum / (Math.abs(sum) + halfAt)) * 10_000) / 10_000;
