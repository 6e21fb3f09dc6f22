import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { parseRedisValue } from '../../../platform/redis/redis-value.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { CacheDeps } from '../cache/deps.js';
import { createGenerations, keysOf } from './generations.js';
import { createPulledAuthors, PULLED_VERSION } from './pulled-authors.js';
import { createStoredRelations, type Stored, storedShape } from './stored-relations.js';

const LIFE_SECONDS = 7 * 86_400;
/** User ids that a process keeps, over all viewers: about 100 bytes each. */
const REMEMBERED_IDS = 500_000;

/** One viewer's relations to others, at one moment. All by user id. */
export interface Relations {
  readonly viewerId: string;
  /** Followed now. A block does not remove a follow: a user who is in `blocked` too counts as not followed. */
  readonly follows: ReadonlySet<string>;
  readonly muted: ReadonlySet<string>;
  /** Either way: the viewer blocks them, or they block the viewer. */
  readonly blocked: ReadonlySet<string>;
  /** Those in `follows` who ever published posts to be pulled. */
  readonly pulled: readonly string[];
  /** As the viewer wrote them, without two that differ by case alone. */
  readonly mutedKeywords: readonly string[];
}

export type RelationCache = ReturnType<typeof createRelationCache>;

/**
 * What reading a feed needs of the graph: Postgres' answer, cached until it changes.
 *
 * Each viewer has a generation in Redis, a random id that changes with their relations. It is read before Postgres is, and
 * Postgres' answer is used only while that generation is current: an answer from before a change is never used.
 * Losing the generation makes a new one. Without a lease on Redis, Postgres answers every time.
 */
export function createRelationCache(deps: CacheDeps) {
  const { redis, lease } = deps;
  const storedRelations = createStoredRelations(deps);
  const pulledAuthors = createPulledAuthors(deps);
  const generations = createGenerations({ ...deps, pulledAuthors });
  const known = new LRUCache<string, Known>({
    maxSize: REMEMBERED_IDS,
    // A character of compiled keywords takes about as much as an id.
    sizeCalculation: ({ relations: { follows, muted, blocked, mutedKeywords } }) =>
      1 + follows.size + muted.size + blocked.size + mutedKeywords.join('').length,
  });
  const refills = new Map<string, Promise<Stored>>();

  /** One refill at a time for each generation. */
  function refill(userId: string, generation: string): Promise<Stored> {
    const key = `${generation}/${userId}`;
    const running = refills.get(key);
    if (running) return running;
    const started = forEverybody(() => fill(userId, generation)).finally(() => refills.delete(key));
    refills.set(key, started);
    return started;
  }

  async function fill(userId: string, generation: string): Promise<Stored> {
    const stored = await storedRelations.of(userId);
    const blob = JSON.stringify({ generation, ...stored });
    // Best effort: where it fails, the next process asks Postgres.
    void redis.set(keysOf(userId).blob, blob, 'EX', LIFE_SECONDS).catch(() => undefined);
    return stored;
  }

  async function fromPostgres(userId: string): Promise<Relations> {
    const [stored, pulled] = await Promise.all([
      storedRelations.of(userId),
      storedRelations.pulledBy(userId),
    ]);
    return toRelations(userId, stored, pulled);
  }

  return {
    /** One round trip to Redis where this process has the answer already; no SQL where Redis has it. */
    async of(userId: string): Promise<Relations> {
      const current = await generations.ask(userId, !known.has(userId));
      if (current === null) return fromPostgres(userId);
      const authors = await pulledAuthors.at(current.pulled, current.epoch);
      const cached = known.get(userId);
      if (cached?.generation === current.generation) {
        if (cached.authors === authors) return cached.relations;
        const relations = { ...cached.relations, pulled: pulledOf(cached.relations.follows, authors) };
        known.set(userId, { generation: current.generation, authors, relations });
        return relations;
      }
      const blob =
        current.blob === undefined ? await lease.read(() => redis.get(keysOf(userId).blob)) : current.blob;
      const stored = readBlob(blob, current.generation) ?? (await refill(userId, current.generation));
      const relations = toRelations(userId, stored, authors);
      known.set(userId, { generation: current.generation, authors, relations });
      return relations;
    },

    /** After a follow, a mute, a block or a change of keywords: what was cached of these users is not used any more. */
    invalidate: generations.renew,

    /** After an author's first post that is pulled: their followers' next reads know of it. */
    async pulledAuthorsChanged(): Promise<void> {
      const count = await pulledAuthors.count();
      await lease.invalidate([PULLED_VERSION], () => pulledAuthors.announce(count));
    },
  };
}

/** What this process keeps of a viewer. */
interface Known {
  readonly generation: string;
  /** The set that `relations.pulled` was made with. */
  readonly authors: ReadonlySet<string>;
  readonly relations: Relations;
}

const blobShape = storedShape.extend({ generation: z.string() });

/** A blob's content, if it is of this generation; another release's may have another shape. */
function readBlob(blob: string | null | undefined, generation: string): Stored | undefined {
  if (!blob) return undefined;
  const read = parseRedisValue('relations', blobShape, blob);
  return read?.generation === generation ? read : undefined;
}

const pulledOf = (follows: ReadonlySet<string>, authors: ReadonlySet<string>): string[] =>
  [...follows].filter((userId) => authors.has(userId));

const NOBODY: ReadonlySet<string> = new Set();

/** Most viewers mute and block nobody. */
const setOf = (userIds: readonly string[]): ReadonlySet<string> =>
  userIds.length === 0 ? NOBODY : new Set(userIds);

function toRelations(viewerId: string, stored: Stored, authors: ReadonlySet<string>): Relations {
  const follows = setOf(stored.follows);
  return {
    viewerId,
    follows,
    muted: setOf(stored.muted),
    blocked: setOf(stored.blocked),
    pulled: pulledOf(follows, authors),
    mutedKeywords: stored.keywords,
  };
}
