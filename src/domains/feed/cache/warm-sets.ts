import { isCluster, KEY_PREFIX, loadScript, runScriptEach } from '../../../platform/redis/redis.js';
import { hashOf } from '../../../platform/redis/shards.js';
import { inParts } from '../in-parts.js';
import { NOW_AND_LATER, type PostPlace } from '../types.js';
import type { RedisDeps } from './deps.js';
import { hexOf, packId, packSet, unpackSet } from './packed-places.js';

/** Entries that are kept (feed document, Limits). */
export const KEPT = 500;
/** Pushes a round trip (feed document, Fan-out rules). */
const PUSH_BATCH = 100;
const LIFE_MS = 7 * 86_400_000;
const LIFE_AS_IT_IS = 0;
const BUILD_MS = 10_000;
const SHARDS = 256;

const script = (name: string) =>
  loadScript(...['entries', 'warm-set', name].map((file) => new URL(`./${file}.lua`, import.meta.url)));
const scripts = {
  push: script('push'),
  read: script('read'),
  beginBuild: script('begin-build'),
  finishBuild: script('finish-build'),
  countAbove: script('count-above'),
};

/** The entries that a warm set answered. */
export interface WarmPlaces {
  /** At and above this place the set is complete; below it Postgres is read. */
  readonly completeFrom: PostPlace;
  /** At or below the asked time, newest first. */
  readonly places: readonly PostPlace[];
}

/** What a set is built from: the newest posts, and the place down to which they are complete. */
export interface Loaded {
  readonly places: readonly PostPlace[];
  readonly completeFrom: PostPlace;
}

/**
 * Sets of posts by time, one an owner: the latest 500, for 7 days after the last read. A set is warm, and then it has no
 * gaps above its floor, or cold, and then Postgres is read. It is cold as soon as Redis has lost any part of it, or may
 * have lost a push: what Redis restored from an older copy of itself is of an earlier epoch.
 *
 * @param kind a part of the keys: sets of different kinds are separate
 */
export function createWarmSets({ redis, lease, ids }: RedisDeps, kind: string) {
  const keyOf = (owner: string): string => keyIn(`${kind}-recent`, owner);
  /** With those of processes of the version before; see `warm-set.lua`. */
  const keysOf = (owner: string): string[] => [
    keyIn(kind, owner),
    keyOf(owner),
    keyIn(`${kind}-building`, owner),
  ];

  /** A write without a lease may go to a Redis that is not read, or miss what others write. */
  async function whileHeld<T>(write: (life: string) => Promise<T>): Promise<T> {
    let failure: unknown = new Error('there is no lease on Redis');
    const done = await lease.read(async (life) => {
      try {
        return { answer: await write(life) };
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    if (!done || !lease.isHeld()) throw failure;
    return done.answer;
  }

  async function readFor(lifeMs: number, owners: readonly string[], at: number, limit: number) {
    const answers = await lease.read((life) => {
      const calls = owners.map((owner) => ({ keys: [keyOf(owner)], args: [life, at, limit, lifeMs] }));
      return runScriptEach(redis, scripts.read, calls, 'bytes');
    });
    return new Map(
      owners.map((owner, index) => {
        const answer = answers?.[index] as Buffer | null | undefined;
        return [owner, answer ? unpackSet(answer) : null];
      }),
    );
  }

  async function push(owners: readonly string[], place: PostPlace, life: string): Promise<number> {
    const args = [life, place.at, hexOf(place.postId)];
    const batches = batchesOf(owners, isCluster(redis)).map((batch) => ({ keys: batch.map(keyOf), args }));
    const taken = (await runScriptEach(redis, scripts.push, batches)) as number[];
    return taken.reduce((sum, one) => sum + one, 0);
  }

  return {
    /**
     * At most `limit` entries of each owner at or below `at` (ms), in one round trip for all; `null` for a cold one, and for
     * all of them without a lease.
     */
    read: (owners: readonly string[], at: number, limit: number): Promise<Map<string, WarmPlaces | null>> =>
      readFor(LIFE_MS, owners, at, limit),

    /** The same, without renewing the sets' lives. */
    look: (owners: readonly string[], at: number, limit: number): Promise<Map<string, WarmPlaces | null>> =>
      readFor(LIFE_AS_IT_IS, owners, at, limit),

    /**
     * Pushes a post to those that are warm, 100 a round trip, all in flight at once; answers how many took it.
     *
     * @throws where Redis failed, or without a lease: readers may use another Redis. It must be done again then
     */
    push: (owners: readonly string[], place: PostPlace): Promise<number> =>
      whileHeld((life) => push(owners, place, life)),

    /** Pushes a post to one set, or else makes it cold: it has no gap once this resolves. See `CacheLease.invalidate`. */
    place: (owner: string, place: PostPlace): Promise<void> =>
      lease.invalidate(keysOf(owner), (life) => push([owner], place, life)),

    /**
     * Warms cold sets by what `load` reads of them. Pushes made meanwhile are merged; an `invalidate` meanwhile discards
     * the set. One builder at a time: what is warm, or built by another process, is not passed to `load`.
     */
    async build(
      owners: readonly string[],
      load: (owners: readonly string[]) => Promise<ReadonlyMap<string, Loaded>>,
    ): Promise<void> {
      const token = ids.next();
      const { life, begun } = await whileHeld(async (life) => {
        const begins = owners.map((owner) => ({ keys: [keyOf(owner)], args: [life, token, BUILD_MS] }));
        return { life, begun: await runScriptEach(redis, scripts.beginBuild, begins) };
      });
      const mine = owners.filter((_, index) => begun[index] === 1);
      if (mine.length === 0) return;
      const finishes = [...(await load(mine))].map(([owner, loaded]) => {
        const { floor, entries } = packSet(loaded);
        return { keys: [keyOf(owner)], args: [life, token, floor, entries, KEPT, LIFE_MS] };
      });
      await runScriptEach(redis, scripts.finishBuild, finishes);
    },

    /** Makes sets cold, also those that are being built. See `CacheLease.invalidate`. */
    async invalidate(owners: readonly string[]): Promise<void> {
      if (owners.length === 0) return;
      await lease.invalidate(owners.flatMap(keysOf), () =>
        Promise.all(owners.map((owner) => redis.del(...keysOf(owner)))),
      );
    },

    /** How many entries are above a place, counted up to 500; `null` for a cold set. */
    async countAbove(owner: string, place: PostPlace): Promise<number | null> {
      const counted = await lease.read((life) => {
        const call = { keys: [keyOf(owner)], args: [life, place.at, packId(place.postId), KEPT] };
        return runScriptEach(redis, scripts.countAbove, [call]);
      });
      const [count = -1] = (counted ?? []) as number[];
      return count === -1 ? null : count;
    },

    /** Which of these posts a warm set holds; `null` for a cold one. It does not renew the set's life. */
    async holds(owner: string, postIds: readonly string[]): Promise<ReadonlySet<string> | null> {
      const [warm] = (await readFor(LIFE_AS_IT_IS, [owner], NOW_AND_LATER.at, KEPT)).values();
      if (!warm) return null;
      const held = new Set(warm.places.map((place) => place.postId));
      return new Set(postIds.filter((postId) => held.has(postId)));
    },
  };
}

/** An owner's keys share a hash tag, one of 256: on a Cluster, a script may touch many sets of one shard. */
const keyIn = (kind: string, owner: string): string => `${KEY_PREFIX}:{f${shardOf(owner)}}:${kind}:${owner}`;

function batchesOf(owners: readonly string[], byShard: boolean): string[][] {
  const groups = byShard ? [...Map.groupBy(owners, shardOf).values()] : [owners];
  return groups.flatMap((group) => inParts(group, PUSH_BATCH));
}

const shardOf = (owner: string): number => hashOf(owner) % SHARDS;
