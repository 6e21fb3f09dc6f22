import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { parseRedisValue } from '../../../platform/redis-value.js';
import { createGenerations, keysOf } from './generations.js';
import { createPulledAuthors, PULLED_VERSION } from './pulled-authors.js';

const sql = loadStatements(new URL('./relations.sql', import.meta.url), ['relationsOf', 'pulledFollows']);
const LIFE_SECONDS = 7 * 86_400;
/** User ids that a process remembers, over all viewers: about 100 bytes each. */
const REMEMBERED_IDS = 500_000;

/** How one viewer stands to others, at one moment. All by user id. */
export interface Relations {
  readonly viewerId: string;
  /** Followed now. Blocks do not take an edge away: who is in `blocked` too is as if he were not here. */
  readonly follows: ReadonlySet<string>;
  readonly muted: ReadonlySet<string>;
  /** Either way: the viewer blocks them, or they block him. */
  readonly blocked: ReadonlySet<string>;
  /** Those in `follows` who ever published posts to be pulled. */
  readonly pulled: readonly string[];
  /** As the viewer wrote them, without two that differ by case alone. */
  readonly mutedKeywords: readonly string[];
}

/** What reading a feed asks of the graph: Postgres' answer, remembered until it changes. */
export interface RelationCache {
  /** One round trip to Redis where this process knows the answer already; no SQL where Redis does. */
  of(userId: string): Promise<Relations>;
  /** After a follow, a mute, a block or a change of keywords: nobody uses what was remembered of these users. */
  invalidate(userIds: readonly string[]): Promise<void>;
  /** After an author's first post that is pulled: his followers learn of it at their next read. */
  pulledAuthorsChanged(): Promise<void>;
}

/** What Postgres says of a viewer, but for `pulled`, which depends on others. */
const edgesShape = z.strictObject({
  follows: z.array(z.string()),
  muted: z.array(z.string()),
  blocked: z.array(z.string()),
  keywords: z.array(z.string()),
});
type Edges = z.infer<typeof edgesShape>;

/**
 * Each viewer has a generation in Redis, a random id that changes with his relations. It is read before Postgres is, and
 * what Postgres answered is used only while that generation stands: an answer that a change overtook is never used.
 * Losing the generation makes a new one. Without a lease on Redis, Postgres answers every time.
 */
export function createRelationCache(deps: {
  postgres: Queryable;
  redis: Redis;
  lease: CacheLease;
  ids: Ids;
}): RelationCache {
  const { postgres, redis, lease } = deps;
  const pulledAuthors = createPulledAuthors(deps);
  const generations = createGenerations({ ...deps, pulledAuthors });
  const known = new LRUCache<string, Known>({
    maxSize: REMEMBERED_IDS,
    // What keywords are compiled to takes about as much for a character as an id does.
    sizeCalculation: ({ relations: { follows, muted, blocked, mutedKeywords } }) =>
      1 + follows.size + muted.size + blocked.size + mutedKeywords.join('').length,
  });
  const refills = new Map<string, Promise<Edges>>();

  /** One refill at a time for what one generation asks. */
  function refill(userId: string, generation: string): Promise<Edges> {
    const key = `${generation}/${userId}`;
    const running = refills.get(key);
    if (running) return running;
    const started = fill(userId, generation).finally(() => refills.delete(key));
    refills.set(key, started);
    return started;
  }

  async function fill(userId: string, generation: string): Promise<Edges> {
    const edges = await edgesFromPostgres(postgres, userId);
    const blob = JSON.stringify({ generation, ...edges });
    // Best effort: where it fails, the next process asks Postgres.
    void redis.set(keysOf(userId).blob, blob, 'EX', LIFE_SECONDS).catch(() => undefined);
    return edges;
  }

  return {
    async of(userId) {
      const told = await generations.ask(userId, !known.has(userId));
      if (told === null) return fromPostgres(postgres, userId);
      const authors = await pulledAuthors.at(told.pulled, told.epoch);
      const held = known.get(userId);
      if (held?.generation === told.generation) {
        if (held.authors === authors) return held.relations;
        const relations = { ...held.relations, pulled: pulledOf(held.relations.follows, authors) };
        known.set(userId, { generation: told.generation, authors, relations });
        return relations;
      }
      const blob =
        told.blob === undefined ? await lease.read(() => redis.get(keysOf(userId).blob)) : told.blob;
      const edges = readBlob(blob, told.generation) ?? (await refill(userId, told.generation));
      const relations = toRelations(userId, edges, authors);
      known.set(userId, { generation: told.generation, authors, relations });
      return relations;
    },

    invalidate: (userIds) => generations.renew(userIds),

    async pulledAuthorsChanged() {
      const count = await pulledAuthors.count();
      await lease.invalidate([PULLED_VERSION], () => pulledAuthors.announce(count));
    },
  };
}

/** What this process remembers of a viewer. */
interface Known {
  readonly generation: string;
  /** The set that `relations.pulled` was made with. */
  readonly authors: ReadonlySet<string>;
  readonly relations: Relations;
}

const blobShape = edgesShape.extend({ generation: z.string() });

/** The edges of a blob of this very generation; another release's may have another shape. */
function readBlob(blob: string | null | undefined, generation: string): Edges | undefined {
  if (!blob) return undefined;
  const read = parseRedisValue('relations', blobShape, blob);
  return read?.generation === generation ? read : undefined;
}

async function edgesFromPostgres(postgres: Queryable, userId: string): Promise<Edges> {
  const { rows } = await postgres.query<Edges>(sql.relationsOf, [userId]);
  return rows[0] ?? { follows: [], muted: [], blocked: [], keywords: [] };
}

async function fromPostgres(postgres: Queryable, userId: string): Promise<Relations> {
  const [edges, { rows }] = await Promise.all([
    edgesFromPostgres(postgres, userId),
    postgres.query<{ user_id: string }>(sql.pulledFollows, [userId]),
  ]);
  return toRelations(userId, edges, new Set(rows.map((row) => row.user_id)));
}

const pulledOf = (follows: ReadonlySet<string>, authors: ReadonlySet<string>): string[] =>
  [...follows].filter((userId) => authors.has(userId));

function toRelations(viewerId: string, edges: Edges, authors: ReadonlySet<string>): Relations {
  const follows = new Set(edges.follows);
  return {
    viewerId,
    follows,
    muted: new Set(edges.muted),
    blocked: new Set(edges.blocked),
    pulled: pulledOf(follows, authors),
    mutedKeywords: edges.keywords,
  };
}
