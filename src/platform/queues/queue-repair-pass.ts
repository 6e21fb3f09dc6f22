import { createHash, randomUUID } from 'node:crypto';
import { isOddValue } from '../odd-values.js';
import {
  isCluster,
  loadScript,
  type Redis,
  runScript,
  type Script,
  type SingleRedis,
} from '../redis/redis.js';
import { nodeOf } from '../redis/redis-cluster.js';
import { noteDiscarded } from '../redis/redis-value.js';

const script = (...names: string[]): Script =>
  loadScript(...names.map((name) => new URL(`./${name}.lua`, import.meta.url)));

const repairFixedKeys = script('repair-queue');
const repairActiveJobs = script('repair-active');
const repairJobKeys = script('repair-lease', 'repair-jobs');
const copyLists = script('repair-lease', 'repair-lists');
const readCopy = script('repair-lease', 'repair-copy');
const repairOrphans = script('repair-lease', 'repair-orphans');
const beginPass = script('repair-begin');
const endPass = script('repair-lease', 'repair-end');

/**
 * The keys that every script of a repair names. The second never exists: while a Cluster moves the queue's slot, some of its keys are on
 * one node and some on another, where the script would take them to be missing; Redis refuses a script that names a missing
 * key beside another (TRYAGAIN) for as long.
 */
const keysOfRepair = (prefix: string): readonly string[] => [`${prefix}:meta`, `${prefix}:absent`];

/** Names in Redis that are read at once, of whatever queue. */
const SCANNED_AT_ONCE = 1_000;
/** Keys of jobs, or jobs, that one script looks at. */
const PAGE = 200;
/** Entries of a list that are read at once. */
const LISTED_AT_ONCE = 500;
/** Between two passes over a queue, whichever processes make them. */
export const PASS_EVERY_MS = 1_000;
/** A repairer that dies keeps others off for so long. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 2_000;
/** Less than a pass waits that is to follow in this process. */
const REST_MS = PASS_EVERY_MS - 100;
const COPIES_LIVE_MS = 60_000;

/**
 * Removes what BullMQ cannot have written at the fixed keys of a queue, in one step.
 *
 * @param prefix the beginning of all keys of the queue, without a colon at its end
 * @param isNoticed whether the queue is to be repaired as a whole, whatever is found
 * @returns whether it is to be: something was noticed, by whichever process, since the whole queue was found in repair
 */
export async function repairFixed(redis: Redis, prefix: string, isNoticed: boolean): Promise<boolean> {
  const args = [`${prefix}:`, Date.now(), randomUUID(), isNoticed ? '1' : '0'];
  const [isDue, ...removed] = (await runScript(
    redis,
    repairFixedKeys,
    keysOfRepair(prefix),
    args,
  )) as string[];
  reportRemoved(prefix, removed);
  return isDue === '1';
}

/**
 * Removes active jobs that nobody can read, and locks of active jobs that never expire.
 *
 * @returns whether there were any: the queue is to be repaired as a whole then
 */
export async function repairActive(redis: Redis, prefix: string): Promise<boolean> {
  let wasOdd = false;
  // From the tail, which is found again however many jobs begin meanwhile.
  for (let kept = 0, isLast = false; !isLast; ) {
    const ids = await redis.lrange(`${prefix}:active`, -(kept + PAGE), -(kept + 1));
    isLast = ids.length < PAGE;
    const odd = await oddOf(redis, prefix, ids);
    const args = [`${prefix}:`, randomUUID(), ...odd];
    const removed =
      odd.length === 0
        ? []
        : ((await runScript(redis, repairActiveJobs, keysOfRepair(prefix), args)) as string[]);
    reportRemoved(prefix, removed);
    wasOdd ||= removed.length > 0;
    kept += ids.length - removed.filter((found) => found === 'no job').length;
  }
  return wasOdd;
}

/** @returns those that are odd, each followed by what was found, as the script gets it */
async function oddOf(redis: Redis, prefix: string, ids: readonly string[]): Promise<string[]> {
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmgetBuffer(`${prefix}:${id}`, 'opts', 'data').pttl(`${prefix}:${id}:lock`);
  const answers = (await pipeline.exec()) ?? [];
  return ids.flatMap((id, index) => {
    const [error, fields] = answers[2 * index]!;
    if (error && !isOddValue(error)) throw error;
    if (error) return [id, 'type'];
    const [opts, data] = fields as (Buffer | null)[];
    if (isJson(opts) && isJson(data)) return answers[2 * index + 1]![1] === -1 ? [id, 'lock'] : [];
    const digest = createHash('sha1')
      .update(opts ?? '')
      .update('\n')
      .update(data ?? '');
    return [id, digest.digest('hex')];
  });
}

function isJson(text: Buffer | null | undefined): boolean {
  if (!text) return false;
  try {
    JSON.parse(text.toString());
    return true;
  } catch {
    return false;
  }
}

/** @param pairs names of keys and what stood there, in turn */
function reportRemoved(prefix: string, pairs: readonly string[]): void {
  for (let index = 0; index < pairs.length; index += 2)
    noteDiscarded('queue', { key: `${prefix}:${pairs[index]}`, found: pairs[index + 1] });
}

/**
 * Goes once over a queue whose repair is due, and removes whatever is not what BullMQ writes there,
 * jobs that are in none of its lists, and deduplication keys that no job stands for any more. One process does at a time;
 * where it dies, another may begin from the start 10 s later. It takes time in proportion to the names in Redis and the jobs
 * of the queue, in steps of a few hundred; the names of jobs that wait are held in memory.
 *
 * @param prefix the beginning of all keys of the queue, without a colon at its end
 * @returns `in repair` where nothing was left to remove and nothing was noticed meanwhile; `due` where another pass has to
 * follow, in a second; `elsewhere` where another process is at it, or was within the last second
 */
export async function passOverQueue(
  redis: Redis,
  prefix: string,
): Promise<'in repair' | 'due' | 'elsewhere'> {
  const owner = randomUUID();
  const run = (one: Script, args: readonly (string | number)[]): Promise<unknown> =>
    runScript(redis, one, keysOfRepair(prefix), [`${prefix}:`, owner, LEASE_MS, ...args]);
  const [begun, noted] = (await run(beginPass, [])) as ['begun' | 'in repair' | 'elsewhere', string];
  if (begun !== 'begun') return begun;
  let isClean: boolean;
  try {
    isClean = await pass({ redis, prefix, run });
  } catch (error) {
    await run(endPass, ['', REST_MS]).catch(() => undefined);
    throw error;
  }
  return (await run(endPass, [isClean ? noted : '', REST_MS])) === 1 ? 'in repair' : 'due';
}

interface Pass {
  readonly redis: Redis;
  readonly prefix: string;
  /** Runs a script that looks first whether this is still the one that repairs. */
  run(script: Script, args: readonly (string | number)[]): Promise<unknown>;
}

/** @returns whether nothing was removed */
async function pass(one: Pass): Promise<boolean> {
  const { redis, prefix } = one;
  let removals = 0;
  const report = (pairs: readonly string[]): void => {
    removals += pairs.length;
    reportRemoved(prefix, pairs);
  };
  await repairActive(redis, prefix);
  const { unlisted, deduplications } = await passOverKeys(one, report);
  if (unlisted.size > 0) await dropListed(one, unlisted);
  for (const orphans of pages([...unlisted]))
    report((await one.run(repairOrphans, orphans.flat())) as string[]);
  for (const names of pages(deduplications)) {
    const [removed] = (await one.run(repairJobKeys, names)) as string[][];
    report(removed!);
  }
  return removals === 0;
}

interface Found {
  /** Jobs that were in no sorted set, and their traces. */
  readonly unlisted: Map<string, string>;
  /** To be looked at when jobs that are in no list are gone. */
  readonly deduplications: readonly string[];
}

async function passOverKeys(
  { redis, prefix, run }: Pass,
  report: (pairs: readonly string[]) => void,
): Promise<Found> {
  const unlisted = new Map<string, string>();
  const deduplications = new Set<string>();
  const pending: string[] = [];
  let renewedAt = performance.now();
  async function passOverPage(): Promise<void> {
    const [removed, jobs] = (await run(repairJobKeys, pending.splice(0, PAGE))) as string[][];
    report(removed!);
    for (let index = 0; index < jobs!.length; index += 2) unlisted.set(jobs![index]!, jobs![index + 1]!);
    renewedAt = performance.now();
  }
  const node = nodeOfQueue(redis, prefix);
  let cursor = '0';
  do {
    const [next, keys] = await node.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', SCANNED_AT_ONCE);
    cursor = next;
    for (const key of keys) {
      const name = key.slice(prefix.length + 1);
      if (name.startsWith('de:')) deduplications.add(name);
      else pending.push(name);
    }
    // Thousands of names may not be the queue's.
    if (performance.now() - renewedAt > RENEW_EVERY_MS) await passOverPage();
    while (pending.length >= PAGE) await passOverPage();
  } while (cursor !== '0');
  while (pending.length > 0) await passOverPage();
  if (nodeOfQueue(redis, prefix) !== node)
    throw new Error('the queue went to another node while its keys were listed');
  return { unlisted, deduplications: [...deduplications] };
}

/** @throws where nobody knows which node of the Cluster has the queue */
function nodeOfQueue(redis: Redis, prefix: string): SingleRedis {
  const node = isCluster(redis) ? nodeOf(redis, `${prefix}:meta`) : redis;
  if (!node) throw new Error('no node of the Cluster is known to have the queue');
  return node;
}

/** Leaves those jobs that are in no list, at a moment after they were in no sorted set. */
async function dropListed({ run }: Pass, jobs: Map<string, string>): Promise<void> {
  const answer = (await run(copyLists, [COPIES_LIVE_MS])) as (string | number)[];
  const copies = Array.from({ length: answer.length / 2 }, (_, index) => ({
    name: answer[2 * index] as string,
    length: Number(answer[2 * index + 1]),
  }));
  const names = copies.map(({ name }) => name);
  for (const { name, length } of copies) {
    for (let left = length; left > 0; ) {
      const ids = (await run(readCopy, [name, LISTED_AT_ONCE, COPIES_LIVE_MS, ...names])) as string[];
      for (const id of ids) jobs.delete(id);
      if (ids.length === 0) throw new Error('a copy of a list was lost while it was read');
      left -= ids.length;
    }
  }
}

function pages<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / PAGE);
  return Array.from({ length: count }, (_, index) => all.slice(index * PAGE, (index + 1) * PAGE));
}
