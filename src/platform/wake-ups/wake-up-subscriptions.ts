import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Redis } from '../redis/redis.js';
import { ALL_TOPICS } from './wake-up.js';
import { readVersions, type SubscriptionChange, shardOf, writeSubscriptions } from './wake-up-registry.js';
import { discardStream, streamOf } from './wake-up-stream.js';

const CHECK_EVERY_MS = 1_000;
const RETRY_MS = 250;
const WRITTEN_AT_ONCE = 1_000;
/** What was not compared for longer may have been lost. */
const COMPARED_WITHIN_MS = 2_000;
/** A topic that waits for longer is not known to publishers in time. */
const LONGEST_WAIT_MS = 1_000;

/** What a process's reader has in the registry. */
export type OpenSubscriptions = ReturnType<typeof openSubscriptions>;

interface Topic {
  readonly name: string;
  readonly since: number;
  /** Undefined once publishers know it: there are as many topics as subscriptions. */
  known: PromiseWithResolvers<void> | undefined;
}

function becomesKnown(topic: Topic): void {
  topic.known?.resolve();
  topic.known = undefined;
}

/**
 * Keeps a reader's topics in the registry. Changes of one moment are one round trip; a change that fails is tried again until
 * it succeeds. Every second the registry's versions of this reader are compared with what was written, so that one that was
 * lost, or set back, is noticed.
 *
 * @param redis the connection that this process publishes by: it leads to where publishers look
 * @returns opens them; `onLost` is called where the registry has lost what this reader had there
 */
export const openSubscriptions = (redis: Redis) => (onLost: () => void) => {
  const topics = new Map<string, Topic>();
  /** Those that the registry does not have yet, oldest first. */
  const waiting = new Set<Topic>();
  const removed = new Set<string>();
  let readerId: string | undefined;
  /** Its entries may still be there. */
  let formerId: string | undefined;
  /** Its stream is there. */
  let mayWrite = false;
  let isWriting = false;
  let isComparing = false;
  let closed = false;
  /** By shard, as the registry has it at least. */
  let versions = new Map<number, number>();
  /** No two writes have the same one: what a write without an answer did cannot pass for a later one. */
  let lastVersion = 0;
  let comparedAt: number | undefined;

  /** Resolves once publishers know that this reader subscribes to the topic. */
  function add(name: string): Promise<void> {
    removed.delete(name);
    const known = topics.get(name);
    if (known) return known.known?.promise ?? Promise.resolve();
    const becoming = Promise.withResolvers<void>();
    const topic: Topic = { name, since: performance.now(), known: becoming };
    topics.set(name, topic);
    waiting.add(topic);
    void write();
    return becoming.promise;
  }

  async function write(): Promise<void> {
    if (isWriting || !mayWrite) return;
    isWriting = true;
    await nextTurn();
    while (!closed && mayWrite && waiting.size + removed.size > 0) {
      try {
        await writeSome(readerId!);
      } catch {
        await pause(RETRY_MS);
      }
    }
    isWriting = false;
  }

  async function writeSome(id: string): Promise<void> {
    const startedAt = performance.now();
    const added = [...waiting].slice(0, WRITTEN_AT_ONCE);
    const left = [...removed].slice(0, WRITTEN_AT_ONCE);
    const changes = changesOf(added, left);
    await writeSubscriptions(redis, id, formerId, changes);
    if (id !== readerId) return;
    for (const { shard, version } of changes) versions.set(shard, version);
    comparedAt ??= startedAt;
    for (const topic of added) {
      waiting.delete(topic);
      becomesKnown(topic);
    }
    for (const name of left) removed.delete(name);
  }

  function changesOf(added: readonly Topic[], left: readonly string[]): SubscriptionChange[] {
    lastVersion += 1;
    const byShard = new Map<number, { added: string[]; removed: string[] }>();
    const of = (name: string) => {
      const shard = shardOf(name);
      const found = byShard.get(shard) ?? { added: [], removed: [] };
      byShard.set(shard, found);
      return found;
    };
    for (const { name } of added) of(name).added.push(name);
    for (const name of left) of(name).removed.push(name);
    return [...byShard].map(([shard, change]) => ({ shard, version: lastVersion, ...change }));
  }

  async function compare(): Promise<void> {
    if (removed.size > 0) void write();
    if (isComparing || comparedAt === undefined) return;
    isComparing = true;
    const [id, startedAt, expected] = [readerId!, performance.now(), [...versions]];
    try {
      const found = await readVersions(
        redis,
        id,
        expected.map(([shard]) => shard),
      );
      if (id !== readerId) return;
      if (expected.every(([, version], index) => (found[index] ?? 0) >= version)) comparedAt = startedAt;
      else onLost();
    } catch {
      // Until it succeeds nothing is current.
    } finally {
      isComparing = false;
    }
  }
  const timer = setInterval(() => void compare(), CHECK_EVERY_MS).unref();
  void add(ALL_TOPICS);

  return {
    add,
    /** The reader gets a new id, under which nothing is registered yet: for a new stream. */
    begin(): string {
      formerId = readerId ?? formerId;
      readerId = randomBytes(9).toString('base64url');
      versions = new Map();
      comparedAt = undefined;
      mayWrite = false;
      removed.clear();
      waiting.clear();
      return readerId;
    },
    /** Registers all topics under the id; resolves once publishers know them, or the subscriptions are closed. */
    async register(): Promise<void> {
      // Those that came since `begin` are in `topics`, too.
      waiting.clear();
      for (const { name, known: before } of topics.values()) {
        const known = Promise.withResolvers<void>();
        const topic: Topic = { name, since: performance.now(), known };
        if (before) void known.promise.then(before.resolve);
        topics.set(name, topic);
        waiting.add(topic);
      }
      mayWrite = true;
      void write();
      await Promise.all([...waiting].map(({ known }) => known?.promise));
    },
    remove(name: string): void {
      const topic = topics.get(name);
      if (!topic) return;
      topics.delete(name);
      waiting.delete(topic);
      becomesKnown(topic);
      // Before `register` nothing is there to be removed: what leaves during an outage is not gathered.
      if (mayWrite) removed.add(name);
    },
    /** Whether publishers know all that was added a second ago or earlier, as far as was seen two seconds ago or later. */
    isCurrent: (): boolean =>
      comparedAt !== undefined &&
      performance.now() - comparedAt < COMPARED_WITHIN_MS &&
      performance.now() - (waiting.values().next().value?.since ?? Number.POSITIVE_INFINITY) <
        LONGEST_WAIT_MS,
    close(): void {
      closed = true;
      clearInterval(timer);
      // Publishers find the reader gone and remove it; so they do a minute after one that was killed.
      if (readerId !== undefined) void discardStream(redis, streamOf(readerId)).catch(() => undefined);
      for (const topic of topics.values()) becomesKnown(topic);
    },
  };
};
