import { setTimeout as pause } from 'node:timers/promises';
import type { CacheLease } from '../cache/cache-lease.js';
import { FOLLOWED_MS, type MissedWrites } from '../cache/missed-writes.js';
import { withinMs } from '../deadline.js';
import { groupCommit } from '../group-commit.js';
import type { Redis } from '../redis/redis.js';
import { inSpan, type SpanStart, tracer } from '../tracing/tracing.js';
import { ALL_TOPICS, type WakeUp } from './wake-up.js';
import { findRoutes, removeReader } from './wake-up-registry.js';
import { appendEntries, FORMER_STREAM, streamOf } from './wake-up-stream.js';

/** A Redis that does not answer within this is not waited for: what was to be published is noted in Postgres. */
const ANSWER_MS = 1_000;
/** More topics than this are noted as all. */
const MOST_TOPICS = 1_000;
const NOTED_AT_ONCE = 200;

/**
 * Publishes to every process with subscribers that something happened. Wake-ups are hints and not the truth: a subscriber that gets
 * one, or may have missed one, reads the source.
 */
export interface WakeUpPublisher {
  /**
   * Resolves once the wake-ups are in the Redis that processes use, or, where that is away, hangs or refuses writes, their
   * topics are noted in Postgres, which every process looks at.
   *
   * @param options.inOrder resolves only when nothing that is published afterwards, by any process, can be heard before these.
   *   Where they are noted in Postgres that takes 1.2 s more
   * @throws where both fail
   */
  publish(wakeUps: readonly WakeUp[], options?: { readonly inOrder?: boolean }): Promise<void>;
}

/**
 * @param fallback `missed` notes what Redis does not take within a second, and what is published without a lease: others may
 *   have left this Redis. Without a fallback either is for the caller to see to
 */
export function createWakeUpPublisher(
  redis: Redis,
  fallback?: {
    readonly missed: Pick<MissedWrites, 'recordTopics'>;
    readonly lease: Pick<CacheLease, 'isHeld' | 'read'>;
  },
): WakeUpPublisher {
  /** During an outage there are as many as writes: those that come while one is on its way share the next. */
  const note = groupCommit<readonly string[], void>({
    maxItems: NOTED_AT_ONCE,
    async commit(items) {
      const topics = [...new Set(items.flat())];
      await fallback?.missed.recordTopics(topics.length > MOST_TOPICS ? [ALL_TOPICS] : topics);
      return items.map(() => undefined);
    },
  });

  const append = (wakeUps: readonly WakeUp[]): Promise<void> =>
    withinMs(ANSWER_MS, appendWhereListened(redis, wakeUps));

  async function publish(wakeUps: readonly WakeUp[], inOrder: boolean): Promise<void> {
    if (!fallback) return append(wakeUps);
    const appended = await fallback.lease.read(async () => {
      await append(wakeUps);
      // Until it ends, nobody holds a lease on another server.
      return fallback.lease.isHeld();
    });
    if (appended) return;
    await note(wakeUps.flatMap(({ topics }) => topics));
    if (inOrder) await pause(FOLLOWED_MS);
  }

  return {
    async publish(wakeUps, { inOrder = false } = {}) {
      if (wakeUps.length === 0) return;
      const using = tracer();
      if (!using) return publish(wakeUps, inOrder);
      await inSpan(using, spanOf(wakeUps), ({ traceparent }) =>
        publish(traceparent === null ? wakeUps : wakeUps.map((one) => ({ ...one, traceparent })), inOrder),
      );
    },
  };
}

const spanOf = (wakeUps: readonly WakeUp[]): SpanStart => ({
  name: 'send wake-ups',
  kind: 'producer',
  attributes: {
    'messaging.system': 'redis',
    'messaging.destination.name': 'wake-ups',
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.batch.message_count': wakeUps.reduce((sum, { topics }) => sum + topics.length, 0),
  },
});

/**
 * Appends to the streams of those readers that subscribe to any of the topics, each with its own topics. Between the look at the
 * registry and this somebody may subscribe: they read their source later than that, and it has what happened already.
 */
async function appendWhereListened(redis: Redis, wakeUps: readonly WakeUp[]): Promise<void> {
  const topics = new Set(wakeUps.flatMap((one) => one.topics));
  const { byReader, hasFormer } = await findRoutes(redis, topics);
  const appending: Promise<unknown>[] = [...byReader].map(async ([readerId, ofReader]) => {
    const isThere = await appendEntries(redis, streamOf(readerId), textsFor(wakeUps, ofReader));
    // Until it succeeds the reader is found gone again.
    if (!isThere) await removeReader(redis, readerId, ofReader).catch(() => undefined);
  });
  if (hasFormer) {
    const all = wakeUps.map((one) => JSON.stringify(one));
    appending.push(appendEntries(redis, FORMER_STREAM, all));
  }
  await Promise.all(appending);
}

const textsFor = (wakeUps: readonly WakeUp[], wanted: ReadonlySet<string>): string[] =>
  wakeUps.flatMap((one) => {
    const topics = one.topics.filter((topic) => wanted.has(topic));
    return topics.length === 0 ? [] : [JSON.stringify({ ...one, topics } satisfies WakeUp)];
  });

/**
 * Makes every subscriber of the fleet read its source: for a process that takes over from one that may have died between a
 * commit and its wake-up.
 */
export const publishToAll = (wakeUps: WakeUpPublisher): Promise<void> =>
  wakeUps.publish([{ topics: [ALL_TOPICS], payload: {} }]);
