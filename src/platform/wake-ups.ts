import { setTimeout as pause } from 'node:timers/promises';
import { Ear, type Listener } from './ear.js';
import type { Logger } from './logger.js';
import { KEY_PREFIX, LONGEST_BLOCK_MS, type Redis } from './redis.js';
import { type WakeUp, wakeUp } from './wake-up.js';

export type { Heard, Listener } from './ear.js';
export type { WakeUp } from './wake-up.js';

const STREAM = `${KEY_PREFIX}:wake-ups`;
const STREAM_LENGTH = 100_000;
const READ_COUNT = 1_000;
/** Told that they may have missed something, listeners all ask their sources: they are told in up to 100 groups. */
const GROUPS = 100;
const SMALLEST_GROUP = 20;
const BETWEEN_GROUPS_MS = 10;

/**
 * Tells every api process that something happened. It is a doorbell and not the truth: whoever is woken, or finds out
 * that he may have missed a wake-up, looks at the source.
 */
export interface WakeUpPublisher {
  publish(wakeUps: readonly WakeUp[]): Promise<void>;
}

export function createWakeUpPublisher(redis: Redis): WakeUpPublisher {
  return {
    async publish(wakeUps) {
      if (wakeUps.length === 0) return;
      const pipeline = redis.pipeline();
      for (const one of wakeUps)
        pipeline.xadd(STREAM, 'MAXLEN', '~', STREAM_LENGTH, '*', 'w', JSON.stringify(one));
      const results = await pipeline.exec();
      const failed = results?.find(([error]) => error);
      if (failed?.[0]) throw failed[0];
    },
  };
}

/** The process's one reader of the wake-up stream: all listeners share its connection. */
export interface WakeUpHub {
  /**
   * Hears everything published to `topic` from this moment on. Listen first, then read the source:
   * in that order nothing falls between the two.
   */
  listen(topic: string): Listener;
  /** Resolves once the stream is being read. */
  readonly ready: Promise<void>;
  /** Closes every listener, at once, whatever Redis does. */
  close(): void;
}

/**
 * Every reconnection, and every part of the stream that was cut off before it was read, is a `missed` for all.
 *
 * @param redis a connection of its own, from `openBlockingRedis`: that it reconnects when Redis has gone silent, and
 *   then sends its read again, is what the hub relies on
 */
export function createWakeUpHub(redis: Redis, logger: Logger): WakeUpHub {
  const listeners = new Map<string, Set<Ear>>();
  let closed = false;
  let reconnected = false;
  let position: string | undefined;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();

  redis.once('close', () => redis.on('ready', lookAgain));
  function lookAgain(): void {
    reconnected = true;
    void tellAllMissed();
  }

  async function read(): Promise<void> {
    while (!closed) {
      try {
        if (position === undefined || reconnected) position = await findPosition(position);
        isReady();
        await readPage(position);
      } catch (error) {
        if (closed) return;
        logger.warn({ err: error }, 'reading wake-ups failed; listeners look at their sources');
        position = undefined;
        await pause(250);
      }
    }
  }

  /** Where to read on: at the end, unless the stream still holds the position that was reached before. */
  async function findPosition(reached: string | undefined): Promise<string> {
    reconnected = false;
    const [newest] = await redis.xrevrange(STREAM, '+', '-', 'COUNT', 1);
    const end = newest?.[0] ?? '0-0';
    // An end that lies before us is another stream's: of a Redis that lost its keys, or took over with a slow clock.
    if (reached !== undefined && !isAfter(reached, end)) return reached;
    // Whoever listened before may have missed what lies between.
    void tellAllMissed();
    return end;
  }

  async function readPage(from: string): Promise<void> {
    const answer = await redis.xread('COUNT', READ_COUNT, 'BLOCK', LONGEST_BLOCK_MS, 'STREAMS', STREAM, from);
    const entries = answer?.[0]?.[1] ?? [];
    if (entries.length === READ_COUNT) await checkUncut(from);
    for (const [id, fields] of entries) {
      position = id;
      dispatch(fields[1] ?? '');
    }
  }

  /** A full page may mean that we lag so far behind that the stream was cut past us. */
  async function checkUncut(from: string): Promise<void> {
    const [oldest] = await redis.xrange(STREAM, '-', '+', 'COUNT', 1);
    if (oldest && isAfter(oldest[0], from)) void tellAllMissed();
  }

  function dispatch(text: string): void {
    const parsed = wakeUp.safeParse(JSON.parse(text));
    if (!parsed.success) {
      logger.error({ text }, 'a wake-up that is none');
      return;
    }
    for (const topic of parsed.data.topics) {
      for (const ear of listeners.get(topic) ?? []) ear.hear({ kind: 'woken', payload: parsed.data.payload });
    }
  }

  /** In groups, so that thousands of listeners do not ask Postgres in one instant. */
  async function tellAllMissed(): Promise<void> {
    const ears = [...listeners.values()].flatMap((ofTopic) => [...ofTopic]);
    const group = Math.max(SMALLEST_GROUP, Math.ceil(ears.length / GROUPS));
    for (let told = 0; told < ears.length; told += group) {
      if (told > 0) await pause(BETWEEN_GROUPS_MS);
      for (const ear of ears.slice(told, told + group)) ear.hear({ kind: 'missed' });
    }
  }

  void read();
  return {
    ready,
    listen(topic) {
      const ears = listeners.get(topic) ?? new Set();
      listeners.set(topic, ears);
      const ear = new Ear(() => {
        ears.delete(ear);
        if (ears.size === 0 && listeners.get(topic) === ears) listeners.delete(topic);
      });
      ears.add(ear);
      return ear;
    },
    close() {
      closed = true;
      for (const ears of [...listeners.values()]) for (const ear of [...ears]) ear.close();
      // What it still waits for may never be answered, so nobody waits for it.
      redis.disconnect();
    },
  };
}

/** Whether stream id `one` comes after `other`. */
export function isAfter(one: string, other: string): boolean {
  const [oneMs = 0, oneSequence = 0] = one.split('-').map(Number);
  const [otherMs = 0, otherSequence = 0] = other.split('-').map(Number);
  return oneMs === otherMs ? oneSequence > otherSequence : oneMs > otherMs;
}
