import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from './logger.js';
import { KEY_PREFIX, type Redis } from './redis.js';

const STREAM = `${KEY_PREFIX}:wake-ups`;
const STREAM_LENGTH = 100_000;
const READ_COUNT = 1_000;
const BLOCK_MS = 5_000;
/** A listener that lets more than this many wake-ups lie is told to look at its source instead. */
const BUFFER = 256;

const wakeUp = z.object({ topics: z.array(z.string()), payload: z.record(z.string(), z.json()) });

/** One thing that happened, for whoever listens to any of its topics. */
export type WakeUp = z.infer<typeof wakeUp>;

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

/** What a listener hears: a wake-up's payload, or that it may have missed some. */
export type Heard =
  | { readonly kind: 'woken'; readonly payload: WakeUp['payload'] }
  | { readonly kind: 'missed' };

/** One listener's ears. Whoever makes it must close it. */
export interface Listener {
  /** The next thing heard; `null` once closed. */
  next(): Promise<Heard | null>;
  close(): void;
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
  close(): Promise<void>;
}

/** @param redis a connection of its own, for blocking reads */
export function createWakeUpHub(redis: Redis, logger: Logger): WakeUpHub {
  const listeners = new Map<string, Set<Ear>>();
  let closed = false;
  let position: string | undefined;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    while (!closed) {
      try {
        if (position === undefined) {
          const [newest] = await redis.xrevrange(STREAM, '+', '-', 'COUNT', 1);
          position = newest?.[0] ?? '0-0';
          // Reading starts here; whoever listened before may have missed what lies between.
          tellAll({ kind: 'missed' });
          isReady();
        }
        const answer = await redis.xread('COUNT', READ_COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', STREAM, position);
        for (const [id, fields] of answer?.[0]?.[1] ?? []) {
          position = id;
          dispatch(fields[1] ?? '');
        }
      } catch (error) {
        if (closed) return;
        logger.warn({ err: error }, 'reading wake-ups failed; listeners look at their sources');
        position = undefined;
        await pause(250);
      }
    }
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

  const tellAll = (heard: Heard): void => {
    for (const ears of listeners.values()) for (const ear of ears) ear.hear(heard);
  };

  const reading = read();
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
    async close() {
      closed = true;
      for (const ears of [...listeners.values()]) for (const ear of [...ears]) ear.close();
      redis.disconnect();
      await reading;
    },
  };
}

/** A bounded buffer between the hub and one listener: when it is full, the lot becomes one `missed`. */
class Ear implements Listener {
  private heard: Heard[] = [];
  private waiting: ((heard: Heard | null) => void) | undefined;
  private closed = false;

  constructor(private readonly onClose: () => void) {}

  hear(heard: Heard): void {
    if (this.waiting) {
      const waiting = this.waiting;
      this.waiting = undefined;
      waiting(heard);
    } else if (heard.kind === 'missed' || this.heard.length >= BUFFER) {
      this.heard = [{ kind: 'missed' }];
    } else {
      this.heard.push(heard);
    }
  }

  next(): Promise<Heard | null> {
    const first = this.heard.shift();
    if (first) return Promise.resolve(first);
    if (this.closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.heard = [];
    this.onClose();
    this.waiting?.(null);
    this.waiting = undefined;
  }
}
