import { parseOnce } from '../../../platform/cache/parse-once.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isCluster, KEY_PREFIX, loadScript, runScript } from '../../../platform/redis/redis.js';
import { shorten } from '../../../platform/redis/redis-epoch.js';
import { noteDiscarded } from '../../../platform/redis/redis-value.js';
import { hashOf } from '../../../platform/redis/shards.js';
import type { CacheDeps } from '../cache/deps.js';
import { inParts } from '../in-parts.js';
import { type PostCounts, REACTION_KINDS, type ReactionKind } from '../types.js';
import { sql } from './post-counts.sql.js';

/** Post objects live as long (feed document, Cached post object). */
const LIFE_SECONDS = 7 * 86_400;
/** Keys that one script writes while Redis does nothing else. */
const WRITTEN_AT_ONCE = 500;
/** For a popular post each like would otherwise add up all deltas of the last 30 s. */
const WRITTEN_BACK_AT = 1_000;
/** On a Cluster. */
const SHARDS = 256;

/** Posts whose counts are kept together, beside the generation of all of them: one read and one script are about many. */
interface Shard {
  readonly prefix: string;
  readonly generation: string;
}
const shardBy = (tag: string): Shard => {
  const prefix = `${KEY_PREFIX}:{${tag}}:`;
  return { prefix, generation: `${prefix}generation` };
};
/** Of a single Redis: a page is one MGET. */
const ONE_SHARD = shardBy('counts');

const scripts = {
  generation: loadScript(new URL('./count-generation.lua', import.meta.url)),
  write: loadScript(new URL('./write-counts.lua', import.meta.url)),
};

export type Counts = ReturnType<typeof createCounts>;

/**
 * How often each post was reacted to, commented on and shared: exact, and the same for all viewers.
 *
 * The record is in Postgres: what was written back to a post, and the deltas since. Redis has the sum, as of a log position,
 * for a generation: a new one begins where Redis was empty or may have lost writes.
 *
 * @param writtenBackAt from so many deltas of a post on, they are added to it at once
 */
export function createCounts({ postgres, redis, lease, ids }: CacheDeps, writtenBackAt = WRITTEN_BACK_AT) {
  const parsed = parseOnce(parseEntry);
  const shards = isCluster(redis)
    ? Array.from({ length: SHARDS }, (_, n) => shardBy(`counts${n}`))
    : [ONE_SHARD];
  const shardOf = (postId: string): Shard =>
    shards.length === 1 ? ONE_SHARD : shards[hashOf(postId) % SHARDS]!;

  const currentGeneration = async ({ generation }: Shard, epoch: string): Promise<string> =>
    String(await runScript(redis, scripts.generation, [generation], [epoch, epoch + shorten(ids.next())]));

  /** Of each shard of these posts. */
  async function currentGenerations(postIds: readonly string[], epoch: string): Promise<Generations> {
    const asked = [...new Set(postIds.map(shardOf))].map(
      async (shard) => [shard, await currentGeneration(shard, epoch)] as const,
    );
    return new Map(await Promise.all(asked));
  }

  async function cached(postIds: readonly string[], epoch: string): Promise<(PostCounts | undefined)[]> {
    if (shards.length === 1) return cachedIn(ONE_SHARD, postIds, epoch);
    const byShard = [...Map.groupBy(postIds, shardOf)];
    const found = new Map<string, PostCounts | undefined>();
    const reading = byShard.map(async ([shard, ofShard]) => {
      const counts = await cachedIn(shard, ofShard, epoch);
      for (const [index, postId] of ofShard.entries()) found.set(postId, counts[index]);
    });
    await Promise.all(reading);
    return postIds.map((postId) => found.get(postId));
  }

  async function cachedIn(
    { prefix, generation: key }: Shard,
    postIds: readonly string[],
    epoch: string,
  ): Promise<(PostCounts | undefined)[]> {
    const known = postIds.map((postId) => parsed.of(prefix, postId));
    const [first, ...entries] = await redis.mgetBuffer(key, ...known.map((one) => one.key));
    const generation = first?.toString();
    if (!generation?.startsWith(epoch)) return [];
    return entries.map((bytes, index) => {
      const entry = bytes ? parsed.parse(known[index]!, bytes) : undefined;
      if (bytes && !entry) noteDiscarded('post_counts');
      return entry?.generation === generation ? entry.counts : undefined;
    });
  }

  async function write(totals: readonly Totals[], generations: Generations): Promise<void> {
    // The same in every row of one answer.
    const position = totals[0]?.position ?? 0;
    const writing = [...Map.groupBy(totals, (row) => shardOf(row.post_id))].map(async ([shard, ofShard]) => {
      for (const some of inParts(ofShard, WRITTEN_AT_ONCE))
        await runScript(
          redis,
          scripts.write,
          [shard.generation, ...some.map((row) => shard.prefix + row.post_id)],
          [generations.get(shard)!, position, LIFE_SECONDS, ...some.map((row) => row.totals.join(' '))],
        );
    });
    await Promise.all(writing);
  }

  /** Reduces the number of deltas; where it fails, the next count does it. */
  async function writeBackMany(totals: readonly Totals[]): Promise<void> {
    for (const { post_id, waiting } of totals)
      if (waiting >= writtenBackAt) await postgres.query(sql.writeBackOne, [post_id]);
  }

  return {
    /**
     * Of each of `postIds`, in their order; undefined for those that do not exist. One round trip to Redis, and one
     * statement for those that it does not have. While Redis is away Postgres is read.
     *
     * @param postIds all different
     */
    async of(postIds: readonly string[]): Promise<readonly (PostCounts | undefined)[]> {
      if (postIds.length === 0) return [];
      const found = (await lease.read((epoch) => cached(postIds, epoch))) ?? [];
      const missing = postIds.filter((_, index) => found[index] === undefined);
      if (missing.length === 0) return found;
      // Read before Postgres is, so that nothing is written that is older than what was lost meanwhile.
      const generations = await lease.read((epoch) => currentGenerations(missing, epoch));
      const totals = await readTotals(postgres, missing);
      if (generations) await lease.read(() => write(totals, generations));
      const counted = new Map(totals.map((row) => [row.post_id, toCounts(row.totals)]));
      return postIds.map((postId, index) => found[index] ?? counted.get(postId));
    },

    /**
     * After a count changed: Redis gets what Postgres has now, unless Redis has it from a later moment. Where Redis fails,
     * all counts are read from Postgres again. See `CacheLease.invalidate`.
     */
    async publish(postIds: readonly string[]): Promise<void> {
      if (postIds.length === 0) return;
      // Only Redis is timed below: where Postgres is slow, Redis has missed nothing.
      const generations = await lease.read((epoch) => currentGenerations(postIds, epoch));
      const totals = await readTotals(postgres, postIds).catch(() => undefined);
      // A new generation discards older totals that are in flight; with one post alone they would come back.
      const keys = [...new Set(postIds.map((postId) => shardOf(postId).generation))];
      await lease.invalidate(keys, async (epoch) => {
        const areCurrent = generations && [...generations.values()].every((one) => one.startsWith(epoch));
        if (!totals || !areCurrent) throw new Error('there are no counts for this Redis');
        await write(totals, generations);
      });
      if (totals) await writeBackMany(totals).catch(() => undefined);
    },
  };
}

/** The posts that these share, where they are shares: their share counts change. */
export async function findOriginals(
  deps: { postgres: Queryable },
  postIds: readonly string[],
): Promise<string[]> {
  if (postIds.length === 0) return [];
  const { rows } = await deps.postgres.query(sql.originals, [postIds]);
  return rows.map((row) => row.postId);
}

/** `waiting`: rows that were not written back; `totals`: one for each reaction kind, then comments, then shares. */
type Totals = RowOf<typeof sql.totals>;

type Generations = ReadonlyMap<Shard, string>;

async function readTotals(postgres: Queryable, postIds: readonly string[]): Promise<Totals[]> {
  return (await postgres.query(sql.totals, [[...new Set(postIds)]])).rows;
}

const toCounts = (totals: readonly number[]): PostCounts => ({
  reactions: Object.fromEntries(REACTION_KINDS.map((kind, index) => [kind, totals[index]!])) as Record<
    ReactionKind,
    number
  >,
  comments: totals[REACTION_KINDS.length]!,
  shares: totals[REACTION_KINDS.length + 1]!,
});

const ENTRY = new RegExp(`^\\S+ \\d+( -?\\d+){${REACTION_KINDS.length + 2}}$`);

/** A post's entry in Redis: generation, log position, totals. */
function parseEntry(text: string): { readonly generation: string; readonly counts: PostCounts } | undefined {
  if (!ENTRY.test(text)) return undefined;
  const [generation = '', , ...totals] = text.split(' ');
  return { generation, counts: toCounts(totals.map(Number)) };
}
