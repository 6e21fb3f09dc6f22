import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { MissedWrites } from '../cache/missed-writes.js';
import { withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import { LONGEST_BLOCK_MS, onBreak, type Redis } from '../redis/redis.js';
import { parseRedisValue } from '../redis/redis-value.js';
import type { ServerWatch } from '../redis/server-watch.js';
import { type Heard, type Listener, Subscribers } from './subscribers.js';
import { ALL_TOPICS, type WakeUp, wakeUp } from './wake-up.js';
import { StreamNumbers } from './wake-up-numbers.js';
import { followServerOfHub } from './wake-up-server.js';
import {
  beginStream,
  discardStream,
  FORMER_STREAM,
  findFormerEnd,
  readEntries,
  type StreamKeys,
  type StreamPage,
  type StreamPositions,
  streamOf,
} from './wake-up-stream.js';
import type { OpenSubscriptions } from './wake-up-subscriptions.js';
import { createWaves } from './wake-up-waves.js';

export type { Heard, Listener } from './subscribers.js';
export type { WakeUp } from './wake-up.js';
export { createWakeUpPublisher, publishToAll, type WakeUpPublisher } from './wake-up-publisher.js';
export { openSubscriptions } from './wake-up-subscriptions.js';

const RETRY_MS = 250;
/** At most so many subscribers go on with the trace of a wake-up: a post may wake thousands, and a trace of thousands of spans is of no use. */
const MOST_TRACED = 20;
/** To so many topics in one turn of the event loop: each wakes work, and leases and keep-alives must get their turns between. */
const HANDED_OUT_AT_ONCE = 100;
const LEASE_ASKED_EVERY_MS = 20;
/** Of publishers, a new subscription. */
const KNOWN_WITHIN_MS = 1_000;
/** A read of an idle stream takes as long as it blocks. */
const HEARD_WITHIN_MS = LONGEST_BLOCK_MS + 1_000;

/** The process's one reader of wake-ups: all subscribers share its connection and its stream. */
export interface WakeUpHub {
  /**
   * Gets everything published to `topic` once it resolves: publishers know of the subscription then. Read the source after that:
   * in this order nothing falls between the two. Where Redis does not take it within a second it resolves all the same, and the
   * listener hears `missed` as soon as publishers know.
   */
  listen(topic: string): Promise<Listener>;
  /** Resolves once the stream is being read. */
  readonly ready: Promise<void>;
  /**
   * Whether all that was published until 2 s ago was handed to subscribers: false while the connection is silent or not known to
   * lead to the server that processes use, while publishers may not know of a subscription, and until all are notified of a loss.
   */
  isHearing(): boolean;
  /** Closes every subscriber, at once, whatever Redis does. */
  close(): void;
}

/**
 * Reads wake-ups and hands them to subscribers. Publishers write to the stream of this process what its subscribers are
 * registered for. Whatever may have been lost is a `missed` for whom it may concern: a reconnection, a gap in the entries'
 * numbers, a counter that speaks of entries which the stream does not have, a registry that has lost this process (both are
 * looked at each second), an entry that cannot be read, and the topics that a publisher noted in Postgres since Redis did not
 * take them. After a loss it begins a stream under a new id, in which all topics are registered before that `missed`.
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
  openRegistry: OpenSubscriptions,
  logger: Logger,
  missedWrites?: Pick<MissedWrites, 'onTopics'>,
  server?: { readonly lease: ServerWatch; readonly checkSource: () => Promise<unknown> },
): WakeUpHub {
  const subscriptions = openRegistry(() => {
    position = undefined;
  });
  const subscribers = new Subscribers((topic) => subscriptions.remove(topic));
  let closed = false;
  let keys: StreamKeys | undefined;
  let numbers = new StreamNumbers(undefined);
  let formerNumbers = new StreamNumbers(undefined);
  /** Undefined: a stream is to be begun. */
  let position: StreamPositions | undefined;
  /** When a read ended that left nothing unread. */
  let heardAt: number | undefined;
  let isAwaitingSource = false;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();

  onBreak(redis, () => {
    position = undefined;
    heardAt = undefined;
  });
  const waves = createWaves(notifyAll);
  const following = server && followServerOfHub({ redis, ...server, notifyAll });
  const stopFollowing = missedWrites?.onTopics((topics) => {
    if (topics === 'all' || topics.includes(ALL_TOPICS)) {
      subscribers.dropUntilMissed();
      waves.request();
    } else for (const topic of topics) subscribers.notify(topic, () => ({ kind: 'missed' }));
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
        if (position === undefined) continue;
        isReady();
        await readPage(keys!, position);
      } catch (error) {
        if (closed) return;
        logger.warn({ err: error }, 'reading wake-ups failed; subscribers read their sources');
        position = undefined;
        if (isWrongType(error)) await discardStream(redis, FORMER_STREAM).catch(() => undefined);
        await pause(RETRY_MS);
      }
    }
  }

  /** Begins a stream; subscribers may have missed what came before it. */
  async function begin(): Promise<void> {
    const left = keys;
    // Of the new stream nothing is read before all are to hear `missed`.
    heardAt = undefined;
    keys = streamOf(subscriptions.begin());
    if (left) void discardStream(redis, left).catch(() => undefined);
    const [own, former] = await Promise.all([beginStream(redis, keys), findFormerEnd(redis)]);
    await subscriptions.register();
    if (closed) return;
    numbers = new StreamNumbers(own.counter);
    formerNumbers = new StreamNumbers(former.counter);
    position = { own: own.position, former: former.position };
    void notifyAllOnceSourceAnswers();
  }

  async function readPage(of: StreamKeys, from: StreamPositions): Promise<void> {
    const { own, former, counter } = await readEntries(redis, of, from);
    const entries = [...former.entries, ...own.entries];
    while (entries.length > 0 && position === from && !closed && hasLostLease())
      await pause(LEASE_ASKED_EVERY_MS);
    // The connection broke meanwhile: what was read may be another Redis'.
    if (position !== from) return;
    const wakeUps = entries.flatMap(({ text }) => parseRedisValue('wake_up', wakeUp, text) ?? []);
    const isLost = numbers.page(placesOf(own), counter, !own.isCut);
    // Its counter expires and is made anew: what it says between two entries means nothing here.
    if (formerNumbers.page(placesOf(former), undefined, false) || isLost || wakeUps.length < entries.length) {
      // Nothing of this page is heard: what comes next is the `missed` of all.
      position = undefined;
      return;
    }
    position = { own: own.entries.at(-1)?.id ?? from.own, former: former.entries.at(-1)?.id ?? from.former };
    const readAt = performance.now();
    await handOut(wakeUps);
    // Where the connection broke meanwhile, what came since is unknown.
    if (position !== undefined && !own.isCut && !former.isCut) heardAt = readAt;
  }

  async function handOut(wakeUps: readonly WakeUp[]): Promise<void> {
    let topics = 0;
    for (const one of wakeUps) {
      if (topics >= HANDED_OUT_AT_ONCE) {
        topics = 0;
        await nextTurn();
        if (closed) return;
      }
      topics += one.topics.length;
      dispatch(one);
    }
  }

  function dispatch({ topics, payload, traceparent }: WakeUp): void {
    const woken: Heard = { kind: 'woken', payload };
    const traced: Heard = { ...woken, traceparent };
    let left = traceparent === undefined ? 0 : MOST_TRACED;
    const next = (): Heard => (left-- > 0 ? traced : woken);
    for (const topic of topics) {
      if (topic === ALL_TOPICS) waves.request();
      else subscribers.notify(topic, next);
    }
  }

  void read();
  return {
    ready,
    isHearing: () =>
      !closed &&
      !subscribers.areDropping &&
      subscriptions.isCurrent() &&
      (following?.isRight() ?? true) &&
      heardAt !== undefined &&
      performance.now() - heardAt < HEARD_WITHIN_MS,
    async listen(topic) {
      const subscriber = subscribers.listen(topic);
      const known = subscriptions.add(topic);
      const isKnown = position !== undefined && (await isWithin(KNOWN_WITHIN_MS, known));
      if (!isKnown) void known.then(() => subscriber.receive({ kind: 'missed' }));
      return subscriber;
    },
    close() {
      closed = true;
      stopFollowing?.();
      following?.stop();
      waves.close();
      subscribers.close();
      subscriptions.close();
      // What it still waits for may never be answered, so nobody waits for it.
      redis.disconnect();
    },
  };
}

const placesOf = ({ entries }: StreamPage) => entries.flatMap(({ place }) => place ?? []);

const isWithin = (ms: number, work: Promise<void>): Promise<boolean> => doesAnswer(withinMs(ms, work));

const doesAnswer = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );

const isWrongType = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('WRONGTYPE');
