import { isCluster, KEY_PREFIX, loadScript, type Redis, runScript, runScriptEach } from '../redis/redis.js';
import { hashOf } from '../redis/shards.js';
import { FORMER_STREAM, streamOf } from './wake-up-stream.js';

/**
 * Which readers subscribe to which topics, in Redis: publishers append to the streams of those alone. A reader that is not in it,
 * as after a loss, reads its sources once it is in it again. Ids of readers are never used twice, so one that is gone can
 * be removed by anybody.
 */

/** Shards, each in a slot of its own on a Cluster. */
const SHARDS = 16;
const TOPICS_AT_ONCE = 1_000;
/** So few are asked for by name at once, without a look at how many are listened to. */
const FEW_TOPICS = 16;
const SCANNED_AT_ONCE = 500;
const subscribe = loadScript(new URL('./subscribe-reader.lua', import.meta.url));

const keyOf = (shard: number): string => `${KEY_PREFIX}:wake-ups:{t${shard}}:readers`;

/** Ids differ by their last characters, so no more are looked at. */
const HASHED = 12;

export const shardOf = (topic: string): number => hashOf(topic, topic.length - HASHED) % SHARDS;

/** Who is to be written to. */
export interface Routes {
  /** The topics of each reader, by its id. */
  readonly byReader: ReadonlyMap<string, ReadonlySet<string>>;
  /** Processes of the version before may be there: they read everything. */
  readonly hasFormer: boolean;
}

/** Topics by the list of their readers: thousands have a handful of readers, so their lists are mostly the same. */
type TopicsByList = Map<string, string[]>;

/**
 * Some topics are asked for by name. Of thousands mostly a few are listened to: where the whole registry is shorter than they are, it
 * is read, and without a listener only its size is.
 */
export async function findRoutes(redis: Redis, topics: ReadonlySet<string>): Promise<Routes> {
  if (topics.size <= FEW_TOPICS) return findByName(redis, topics);
  const sizes = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => redis.hlen(keyOf(shard))));
  const size = sizes.reduce((sum, ofShard) => sum + ofShard, 0);
  return size > topics.size ? findByName(redis, topics) : findInAll(redis, topics, sizes);
}

/** Whether a process of the former version reads. That knows no Cluster, where the question would be one node's. */
const hasFormerStream = async (redis: Redis): Promise<boolean> =>
  !isCluster(redis) && (await redis.exists(FORMER_STREAM.counter)) === 1;

async function findByName(redis: Redis, topics: ReadonlySet<string>): Promise<Routes> {
  const former = hasFormerStream(redis);
  const asked: (readonly string[])[] = [];
  const asking: Promise<(string | null)[]>[] = [];
  for (const [shard, ofShard] of Map.groupBy(topics, shardOf)) {
    for (let i = 0; i < ofShard.length; i += TOPICS_AT_ONCE) {
      const some = ofShard.slice(i, i + TOPICS_AT_ONCE);
      asked.push(some);
      asking.push(redis.hmget(keyOf(shard), ...some));
    }
  }
  const [hasFormer, ...answers] = await Promise.all([former, ...asking]);
  const byList: TopicsByList = new Map();
  for (const [index, found] of answers.entries())
    for (let i = 0; i < found.length; i += 1) add(byList, found[i]!, asked[index]![i]!);
  return { byReader: byReaderOf(byList), hasFormer };
}

async function findInAll(
  redis: Redis,
  topics: ReadonlySet<string>,
  sizes: readonly number[],
): Promise<Routes> {
  const former = hasFormerStream(redis);
  const all = sizes.flatMap((size, shard) => (size > 0 ? redis.hgetall(keyOf(shard)) : []));
  const [hasFormer, ...answers] = await Promise.all([former, ...all]);
  const byList: TopicsByList = new Map();
  for (const found of answers)
    for (const topic in found) if (topics.has(topic)) add(byList, found[topic]!, topic);
  return { byReader: byReaderOf(byList), hasFormer };
}

function add(byList: TopicsByList, list: string | null, topic: string): void {
  if (!list) return;
  const ofList = byList.get(list);
  if (ofList) ofList.push(topic);
  else byList.set(list, [topic]);
}

function byReaderOf(byList: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const byReader = new Map<string, Set<string>>();
  for (const [list, topics] of byList) {
    for (const id of list.split(',')) {
      const ofReader = byReader.get(id);
      if (ofReader) for (const topic of topics) ofReader.add(topic);
      else byReader.set(id, new Set(topics));
    }
  }
  return byReader;
}

/** What a reader changes in one shard. */
export interface SubscriptionChange {
  readonly shard: number;
  readonly version: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Writes a reader's changes, of whatever shards. @param formerId the id whose place it takes */
export async function writeSubscriptions(
  redis: Redis,
  readerId: string,
  formerId: string | undefined,
  changes: readonly SubscriptionChange[],
): Promise<void> {
  const calls = changes.map(({ shard, version, added, removed }) => ({
    keys: [keyOf(shard)],
    args: [readerId, formerId ?? '', version, added.length, ...added, ...removed],
  }));
  await runScriptEach(redis, subscribe, calls);
}

/** The version of a reader in each of these shards; undefined where it has none. */
export async function readVersions(
  redis: Redis,
  readerId: string,
  shards: readonly number[],
): Promise<(number | undefined)[]> {
  const versions = await Promise.all(shards.map((shard) => redis.hget(keyOf(shard), `#${readerId}`)));
  return versions.map((version) => (version === null ? undefined : Number(version)));
}

/** Removes a reader that is gone from these topics. */
export async function removeReader(redis: Redis, readerId: string, topics: Iterable<string>): Promise<void> {
  for (const [shard, ofShard] of Map.groupBy(topics, shardOf)) {
    for (let i = 0; i < ofShard.length; i += TOPICS_AT_ONCE) {
      const some = ofShard.slice(i, i + TOPICS_AT_ONCE);
      await runScript(redis, subscribe, [keyOf(shard)], [readerId, '', '', 0, ...some]);
    }
  }
}

/** Removes whatever readers left that were killed, some hundred topics at a time. */
export async function forgetDeadReaders(redis: Redis, signal: AbortSignal): Promise<void> {
  for (let shard = 0; shard < SHARDS; shard += 1) {
    let cursor = '0';
    do {
      if (signal.aborted) return;
      const [next, fields] = await redis.hscan(keyOf(shard), cursor, 'COUNT', SCANNED_AT_ONCE);
      cursor = next;
      const topicsOf = topicsByReader(fields);
      for (const readerId of await findDead(redis, [...topicsOf.keys()]))
        await runScript(redis, subscribe, [keyOf(shard)], [readerId, '', '', 0, ...topicsOf.get(readerId)!]);
    } while (cursor !== '0');
  }
}

/** @param fields of a shard, each followed by its value */
function topicsByReader(fields: readonly string[]): Map<string, string[]> {
  const topicsOf = new Map<string, string[]>();
  const of = (readerId: string): string[] => {
    const topics = topicsOf.get(readerId) ?? [];
    topicsOf.set(readerId, topics);
    return topics;
  };
  for (let i = 0; i < fields.length; i += 2) {
    const [field, value] = [fields[i]!, fields[i + 1]!];
    if (field.startsWith('#')) of(field.slice(1));
    else for (const readerId of value.split(',')) of(readerId).push(field);
  }
  return topicsOf;
}

async function findDead(redis: Redis, readerIds: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(readerIds.map((id) => redis.exists(streamOf(id).counter)));
  return readerIds.filter((_, index) => answers[index] === 0);
}
