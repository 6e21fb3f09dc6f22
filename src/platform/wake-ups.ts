import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logger.js';
import type { MissedWrites } from './missed-writes.js';
import { LONGEST_BLOCK_MS, type Redis } from './redis.js';
import { parseRedisValue } from './redis-value.js';
import type { ServerWatch } from './server-watch.js';
import type { Listener } from './subscriber.js';
import { Subscribers } from './subscribers.js';
import { ALL_TOPICS, type WakeUp, wakeUp } from './wake-up.js';
import { StreamNumbers } from './wake-up-numbers.js';
import { followServerOfHub } from './wake-up-server.js';
import { discardStream, findEnd, READ_COUNT, readEntries } from './wake-up-stream.js';
import { createWaves } from './wake-up-waves.js';

export type { Heard, Listener } from './subscriber.js';
export type { WakeUp } from './wake-up.js';
export { createWakeUpPublisher, publishToAll, type WakeUpPublisher } from './wake-up-publisher.js';

const RETRY_MS = 250;
const LEASE_ASKED_EVERY_MS = 20;
/** A read of an idle stream takes as long as it blocks. */
const HEARD_WITHIN_MS = LONGEST_BLOCK_MS + 1_000;

/** The process's one reader of the wake-up stream: all subscribers share its connection. */
export interface WakeUpHub {
  /**
   * Gets everything published to `topic` from this moment on. Listen first, then read the source:
   * in that order nothing falls between the two.
   */
  listen(topic: string): Listener;
  /** Resolves once the stream is being read. */
  readonly ready: Promise<void>;
  /**
   * Whether all that was published until 2 s ago was handed to subscribers: false while the connection is silent or not known to
   * lead to the server that processes use, and until all are notified of a loss.
   */
  isHearing(): boolean;
  /** Closes every subscriber, at once, whatever Redis does. */
  close(): void;
}

/**
 * Reads wake-ups and hands them to subscribers. Whatever may have been lost is a `missed` for whom it may concern: a
 * reconnection, a gap in the entries' numbers, a counter that speaks of entries which the stream does not have (it is
 * looked at each second), an entry that cannot be read, and the topics that a publisher noted in Postgres since Redis
 * did not take them.
 *
 * What comes after a loss is not heard before that `missed`: a page in which something is missing is not handed out, and
 * wake-ups of later pages are dropped for each subscriber until it has been notified. It reads its source then, which has
 * everything in order.
 *
 * What was noted in Postgres is heard before what was published a second later: a process that may not have seen the note,
 * since it lost its lease, hands out nothing before it holds one again, or makes its connection anew.
 *
 * @param redis a connection of its own, from `openBlockingRedis`: that it reconnects when Redis has gone silent, and
 *   then sends its read again, is what the hub relies on
 * @param server without it, the hub trusts the server that it is connected to. `checkSource` rejects where subscribers could
 *   not read their sources
 */
export function createWakeUpHub(
  redis: Redis,
  logger: Logger,
  missedWrites?: Pick<MissedWrites, 'onTopics'>,
  server?: { readonly lease: ServerWatch; readonly checkSource: () => Promise<unknown> },
): WakeUpHub {
  const subscribers = new Subscribers();
  let closed = false;
  let numbers = new StreamNumbers(undefined);
  /** Undefined: where to read on is to be found out. */
  let position: string | undefined;
  /** When a read ended that left nothing unread. */
  let heardAt: number | undefined;
  let isAwaitingSource = false;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();

  redis.on('close', () => {
    position = undefined;
    heardAt = undefined;
  });
  const waves = createWaves(notifyAll);
  const following = server && followServerOfHub({ redis, ...server, notifyAll });
  const stopFollowing = missedWrites?.onTopics((topics) => {
    if (topics === 'all' || topics.includes(ALL_TOPICS)) {
      subscribers.dropUntilMissed();
      waves.request();
    } else for (const topic of topics) subscribers.notify(topic, { kind: 'missed' });
  });

  function notifyAll(): void {
    waves.satisfied();
    void subscribers.notifyAll();
  }

  /** What they would read fails while their source is away, which would end them: until it answers they hear nothing. */
  async function notifyAllOnceSourceAnswers(): Promise<void> {
    subscribers.dropUntilMissed();
    if (!server) return notifyAll();
    if (isAwaitingSource) return;
    isAwaitingSource = true;
    while (!closed && !(await doesAnswer(server.checkSource()))) await pause(RETRY_MS);
    isAwaitingSource = false;
    if (!closed) notifyAll();
  }

  /** Not where none was ever held on this Redis: it may be one that caches are not used on. */
  const hasLostLease = (): boolean =>
    server !== undefined && server.lease.life() !== undefined && !server.lease.isHeld();

  async function read(): Promise<void> {
    while (!closed) {
      try {
        if (position === undefined) await begin();
        isReady();
        await readPage(position!);
      } catch (error) {
        if (closed) return;
        logger.warn({ err: error }, 'reading wake-ups failed; subscribers read their sources');
        position = undefined;
        if (isWrongType(error)) await discardStream(redis).catch(() => undefined);
        await pause(RETRY_MS);
      }
    }
  }

  /** Reads on from the end of the stream; subscribers may have missed what lies before it. */
  async function begin(): Promise<void> {
    const end = await findEnd(redis);
    numbers = new StreamNumbers(end.counter);
    position = end.position;
    void notifyAllOnceSourceAnswers();
  }

  async function readPage(from: string): Promise<void> {
    const { entries, counter } = await readEntries(redis, from);
    while (entries.length > 0 && position === from && !closed && hasLostLease())
      await pause(LEASE_ASKED_EVERY_MS);
    // The connection broke meanwhile: what was read may be another Redis'.
    if (position !== from) return;
    const endsStream = entries.length < READ_COUNT;
    const places = entries.flatMap(({ place }) => place ?? []);
    const wakeUps = entries.flatMap(({ text }) => parseRedisValue('wake_up', wakeUp, text) ?? []);
    if (numbers.page(places, counter, endsStream) || wakeUps.length < entries.length) {
      // Nothing of this page is heard: what comes next is the `missed` of all.
      position = undefined;
      return;
    }
    position = entries.at(-1)?.id ?? from;
    if (endsStream) heardAt = performance.now();
    for (const one of wakeUps) dispatch(one);
  }

  function dispatch({ topics, payload }: WakeUp): void {
    for (const topic of topics) {
      if (topic === ALL_TOPICS) waves.request();
      else subscribers.notify(topic, { kind: 'woken', payload });
    }
  }

  void read();
  return {
    ready,
    isHearing: () =>
      !closed &&
      !subscribers.areDropping &&
      (following?.isRight() ?? true) &&
      heardAt !== undefined &&
      performance.now() - heardAt < HEARD_WITHIN_MS,
    listen: (topic) => subscribers.listen(topic),
    close() {
      closed = true;
      stopFollowing?.();
      following?.stop();
      waves.close();
      subscribers.close();
      // What it still waits for may never be answered, so nobody waits for it.
      redis.disconnect();
    },
  };
}

const doesAnswer = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );

const isWrongType = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('WRONGTYPE');
