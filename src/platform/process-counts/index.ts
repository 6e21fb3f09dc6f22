import { randomBytes } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Redis } from '../redis/redis.js';
import { listenUntil } from '../wake-ups/listen-until.js';
import type { WakeUpHub, WakeUpPublisher } from '../wake-ups/wake-ups.js';
import { type Histogram, type Measured, readCounts } from './counts.js';
import { type Contribution, goneAmong, type KnownProcesses, takeIn, totalsOf } from './merge.js';
import { readContributions, removeContributions, writeContribution } from './store.js';

export { shareWhileFollowed } from './share-while-followed.js';

/** Who listens to it is asked for its counts. */
const TOPIC = 'process-counts';
/** Several processes that ask at about the same time are answered once. */
const SHORTEST_MS = 700;
/** A process need not ask where another one did so lately. */
const ASKED_LATELY_MS = 900;

/** What all processes did in about the last second. */
export interface Reading<Counter extends string, Name extends string> {
  /** How many processes it is of. */
  readonly processes: number;
  /** Whether Redis answered: else it is of this process, and for a moment of those that were heard of before. */
  readonly isWhole: boolean;
  readonly perSecond: Readonly<Record<Counter, number>>;
  /** Absent where nothing was counted. */
  readonly histograms: Readonly<Partial<Record<Name, Histogram>>>;
}

/**
 * Counts over all processes, made once in each, out of the metrics that each has anyway. A process writes its counts to Redis when it is asked,
 * by a wake-up, and else not: without a reader there is no command. What is written are sums since the process started, so that
 * one that is late, or lost, falsifies nothing.
 *
 * @param deps.wakeUps without a fallback in Postgres: who reads asks again a second later
 * @param deps.monotonic milliseconds that never go back; the process's own unless given
 */
export function createProcessCounts<Counter extends string, Name extends string>(deps: {
  readonly redis: Redis;
  readonly metrics: Registry;
  readonly wakeUps: Pick<WakeUpPublisher, 'publish'>;
  readonly measured: Measured<Counter, Name>;
  readonly monotonic?: () => number;
}) {
  const { redis, metrics, wakeUps, measured, monotonic = () => performance.now() } = deps;
  const id = randomBytes(9).toString('base64url');
  let askedAt = Number.NEGATIVE_INFINITY;

  const take = async (): Promise<Contribution> => {
    const counts = await readCounts(metrics, measured);
    return { at: monotonic(), counts };
  };

  return {
    /** Contributes whenever a process asks, until `signal` aborts or the hub closes. */
    async contribute(hub: Pick<WakeUpHub, 'listen'>, signal?: AbortSignal): Promise<void> {
      const listener = await listenUntil(hub, TOPIC, signal);
      let writtenAt = Number.NEGATIVE_INFINITY;
      for (let heard = await listener.next(); heard !== null; heard = await listener.next()) {
        // What was missed is asked again within a second.
        if (heard.kind === 'missed') continue;
        askedAt = monotonic();
        if (askedAt - writtenAt < SHORTEST_MS) continue;
        writtenAt = askedAt;
        // A contribution that is lost is contained in the next.
        await take()
          .then((own) => writeContribution(redis, id, own))
          .catch(() => undefined);
      }
      listener.close();
    },

    /** Begins to read: two readings are about a second apart, each `ask` and, when all had the time to answer, `read`. */
    reader() {
      let known: KnownProcesses = new Map();
      return {
        /** Asks every process for its counts. Never rejects. */
        async ask(): Promise<void> {
          if (monotonic() - askedAt < ASKED_LATELY_MS) return;
          await wakeUps.publish([{ topics: [TOPIC], payload: {} }]).catch(() => undefined);
        },
        /** What all processes do. Within half a second, and never rejects: without Redis it is of what is known. */
        async read(): Promise<Reading<Counter, Name>> {
          const [read, own] = await Promise.all([readContributions(redis).catch(() => undefined), take()]);
          const all = new Map(read).set(id, own);
          const now = monotonic();
          known = takeIn(known, all, now);
          void removeContributions(redis, goneAmong(known, all)).catch(() => undefined);
          const { processes, perSecond, histograms } = totalsOf(known, now);
          return {
            processes,
            isWhole: read !== undefined,
            perSecond: withAll(measured.counters, perSecond),
            // Their names are those of `measured`; other versions' are ignored.
            histograms: histograms as Partial<Record<Name, Histogram>>,
          };
        },
      };
    },
  };
}

const withAll = <Name extends string>(
  names: Readonly<Record<Name, unknown>>,
  found: Readonly<Partial<Record<string, number>>>,
): Record<Name, number> =>
  // Object.keys forgets which keys there are.
  Object.fromEntries(Object.keys(names).map((name) => [name, found[name] ?? 0])) as Record<Name, number>;
