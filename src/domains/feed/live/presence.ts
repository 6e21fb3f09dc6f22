import type { Clock } from '../../../platform/clock.js';
import { isCluster, KEY_PREFIX, type Redis } from '../../../platform/redis/redis.js';
import { hashOf } from '../../../platform/redis/shards.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import { inParts } from '../in-parts.js';

const KEY = `${KEY_PREFIX}:feed-online`;
/** On a Cluster. */
const SHARDS = 64;
const REFRESH_MS = 30_000;
/** A user who was not refreshed for this long is offline: their process was killed. */
const LIFE_MS = 3 * REFRESH_MS;
/** Users in one command. */
const AT_ONCE = 1_000;

const keyOf = (shard: number): string => `${KEY_PREFIX}:{feed-online${shard}}`;

export type Presence = ReturnType<typeof createPresence>;

/**
 * Users who are subscribed to their feed now, on any process: fan-out serves them first. A hint: a user who is missing here,
 * because Redis lost the key or they came this instant, is served with all others.
 */
export function createPresence({ redis, clock }: { redis: Redis; clock: Clock }) {
  /** How many connections of this process each user has. */
  const here = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Users by the key that has them. */
  const byKey: (userIds: readonly string[]) => Iterable<readonly [string, readonly string[]]> = isCluster(
    redis,
  )
    ? (userIds) => Map.groupBy(userIds, (userId) => keyOf(hashOf(userId) % SHARDS))
    : (userIds) => [[KEY, userIds]];
  const allKeys = isCluster(redis) ? Array.from({ length: SHARDS }, (_, shard) => keyOf(shard)) : [KEY];

  async function announce(userIds: readonly string[]): Promise<void> {
    const until = clock.now() + LIFE_MS;
    for (const [key, ofKey] of byKey(userIds))
      for (const some of inParts(ofKey, AT_ONCE))
        await redis.zadd(key, ...some.flatMap((userId) => [until, userId]));
  }
  async function refresh(): Promise<void> {
    if (here.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    await announce([...here.keys()]);
    const now = clock.now();
    await Promise.all(allKeys.map((key) => redis.zremrangebyscore(key, '-inf', now)));
  }

  return {
    /** From now on the user is online, until the answer is called; several times at once if need be. */
    arrive(userId: string): () => void {
      here.set(userId, (here.get(userId) ?? 0) + 1);
      timer ??= forEverybody(() =>
        setInterval(() => void refresh().catch(() => undefined), REFRESH_MS).unref(),
      );
      void announce([userId]).catch(() => undefined);
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        const left = here.get(userId)! - 1;
        if (left > 0) here.set(userId, left);
        else here.delete(userId);
      };
    },

    /**
     * All users who are online; undefined where they are more than so many. A hint as `among` is: nobody where Redis does not
     * answer.
     */
    async all(most: number): Promise<string[] | undefined> {
      const asked = allKeys.map((key) =>
        redis.zrange(key, `(${clock.now()}`, '+inf', 'BYSCORE', 'LIMIT', 0, most + 1),
      );
      const online = (await Promise.all(asked).catch((): string[][] => [])).flat();
      return online.length > most ? undefined : online;
    },

    /** Those among the users who are online. */
    async among(userIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (userIds.length === 0) return new Set();
      const now = clock.now();
      const online = new Set<string>();
      const note = async (key: string, some: readonly string[]): Promise<void> => {
        // A hint: without it they are served with all others.
        const until = await redis.zmscore(key, ...some).catch((): null[] => []);
        for (let i = 0; i < some.length; i++) if (Number(until[i] ?? 0) > now) online.add(some[i]!);
      };
      const asked = [...byKey(userIds)].flatMap(([key, ofKey]) =>
        inParts(ofKey, AT_ONCE).map((some) => note(key, some)),
      );
      await Promise.all(asked);
      return online;
    },
  };
}
