import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { answerWithin, firstOf } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import { isConnectionError } from '../postgres/postgres.js';
import { followAcceptedServer } from '../redis/accepted-server.js';
import { writeToAll } from '../redis/every-master.js';
import { connectAnew, onBreak, type Redis } from '../redis/redis.js';
import { epochOf, isWrongServer, nameOfLife } from '../redis/redis-epoch.js';
import type { ServerWatch } from '../redis/server-watch.js';
import { leaseLog } from './lease-log.js';
import { LEASE_MS, type Look, MARGIN_MS, type MissedWritesLog } from './missed-writes.js';
import { deleteNoted } from './noted-deletions.js';

const RENEW_EVERY_MS = 250;
/** What a look at Postgres and a write to Redis may take. One that comes later counts all the same, from when it began. */
const ANSWER_MS = 700;
/** Longer than that a command does not wait for Redis before it notes its keys. */
const INVALIDATION_MS = 250;
/** Looks in a row that found no Postgres, after which a lease is renewed without it. */
const LOOKS_THAT_MAY_FAIL = 1;
/** For so long after the last look: what others have noted since is unknown. */
const WITHOUT_POSTGRES_MS = 10_000;
/** An epoch that was accepted longer ago needs no waiting for leases on others, however slowly that was committed. */
const SETTLED_MS = 10_000;
/** A server that is not the accepted one is left for the server that is found at its address, once in this time. */
const LEAVE_EVERY_MS = 5_000;

/**
 * The right of this process to answer from what Redis and its own memory hold, and to fill Redis. It is renewed by a
 * write to Redis together with a look at Postgres, so that it ends within `LEASE_MS` wherever Redis cannot be written,
 * and before any process acknowledges a change whose invalidation Redis did not take.
 */
export interface CacheLease {
  /** Whether a read that begins now may be answered from caches. */
  isHeld(): boolean;
  /**
   * What `read` finds in Redis; undefined where it may not be used, fails, or has no answer when the lease ends: Postgres
   * answers then.
   *
   * @param read gets what stands for this life of Redis in keys: see `nameOfLife`
   */
  read<T>(read: (epoch: string) => Promise<T>): Promise<T | undefined>;
  /**
   * After a commit that made cached values untrue: resolves once no process answers from them any more. Where Redis
   * cannot be written that takes about 1.5 s, and the keys are noted in Postgres.
   *
   * @param keys what is to be deleted where `write` fails; those that hold the epoch by `keyOfAnyEpoch`
   * @param write removes or replaces the values; gets the epoch as `read` does. It asks Redis alone, since it is timed
   * @param topics that every process is notified of where `write` fails, for what it keeps in its memory
   * @throws only where Postgres fails too: the change must not be acknowledged then
   */
  invalidate(
    keys: readonly string[],
    write: (epoch: string) => Promise<unknown>,
    topics?: readonly string[],
  ): Promise<void>;
}

/** A lease that is renewed until it is closed. */
export interface RenewedLease extends CacheLease, ServerWatch {
  close(): void;
}

interface Held {
  /** As it stands in keys. */
  readonly epoch: string;
  readonly until: number;
}

/**
 * @param deps.redises the connections that caches are read by: every server that they lead to has to take a write
 * @param deps.now milliseconds that only ever grow
 */
export function keepCacheLease(deps: {
  readonly redises: readonly Redis[];
  readonly missed: MissedWritesLog;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly now?: () => number;
}): RenewedLease {
  const { redises, missed, logger, now = () => performance.now() } = deps;
  const closing = new AbortController();
  const waiting = new Set<() => void>();
  let held: Held | undefined;
  let lapse: NodeJS.Timeout | undefined;
  let connection = 0;
  let accepted: { readonly epoch: string; readonly life: string; readonly since: number } | undefined;
  const server = followAcceptedServer(missed, now);
  const onLeave = new Set<() => void>();
  let life: string | undefined;
  let runIds: ReadonlySet<string> | undefined;
  let leftAt: number | undefined;
  let failedLooks = 0;
  let lookedAt: number | undefined;
  let looking: Promise<StartedLook> | undefined;
  const logState = leaseLog(logger, now);

  for (const redis of redises)
    onBreak(redis, () => {
      connection += 1;
      held = life = undefined;
    });
  new Gauge({
    name: 'cache_lease_held',
    help: '1 while this process may answer from Redis, 0 while its reads go to Postgres',
    registers: [deps.metrics],
    collect() {
      this.set(current() ? 1 : 0);
    },
  });

  const current = (): Held | undefined => (held && now() < held.until ? held : undefined);

  /** One at a time: while Postgres has not answered, its answer is waited for again. */
  function look(): Promise<StartedLook> {
    const startedAt = now();
    looking ??= missed
      .look()
      .then((seen) => ({ startedAt, seen }))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  /** Undefined where there is no Postgres, which nobody can have noted anything in; for a moment only. */
  async function lookUnlessAway(): Promise<StartedLook | undefined> {
    try {
      const looked = await answerWithin(ANSWER_MS, look());
      failedLooks = 0;
      lookedAt = looked.startedAt;
      return looked;
    } catch (error) {
      // One that is only slow takes notes meanwhile.
      if (!isAway(error)) throw error;
      failedLooks += 1;
      const isRecent = lookedAt !== undefined && now() - lookedAt < WITHOUT_POSTGRES_MS;
      if (failedLooks <= LOOKS_THAT_MAY_FAIL || !isRecent) throw error;
      return undefined;
    }
  }

  async function renew(): Promise<void> {
    const wroteAt = now();
    const asked = connection;
    const [looked, written] = await Promise.allSettled([
      lookUnlessAway(),
      answerWithin(ANSWER_MS, writeToAll(redises)),
    ]);
    server.saw(looked.status === 'fulfilled' ? looked.value?.seen : undefined);
    if (written.status === 'rejected') throw written.reason;
    if (looked.status === 'rejected') throw looked.reason;
    const epoch = epochOf(written.value);
    const { startedAt, seen } = looked.value ?? { startedAt: wroteAt, seen: undefined };
    if (seen) {
      if (seen.epoch !== epoch) {
        held = accepted = life = undefined;
        return server.offer(epoch);
      }
      server.use();
      if (accepted?.life !== seen.life) {
        held = life = undefined;
        accepted = { epoch, life: seen.life!, since: acceptedAt(seen, startedAt) };
      }
      if (seen.hasUnapplied) await deleteNoted(redises, missed, seen.life!, () => connection === asked);
    }
    // Until then processes may write to another Redis, and answer from it.
    if (accepted?.epoch !== epoch || startedAt < accepted.since + LEASE_MS + MARGIN_MS) return;
    if (connection !== asked || closing.signal.aborted) return;
    life = accepted.life;
    runIds = new Set(written.value.map(({ runId }) => runId));
    hold({ epoch: nameOfLife(life), until: Math.min(startedAt, wroteAt) + LEASE_MS });
  }

  function hold(lease: Held): void {
    held = lease;
    clearTimeout(lapse);
    // Answers that came while the process was busy are read first.
    lapse = setTimeout(
      () => setImmediate(() => setImmediate(giveUpUnlessHeld)),
      Math.max(1, lease.until - now() + 1),
    );
    lapse.unref();
  }

  function giveUpUnlessHeld(): void {
    if (!current()) for (const giveUp of [...waiting]) giveUp();
  }

  /** When a process saw it, unless it was long ago: the row says when it was written, not when others could see it. */
  const acceptedAt = ({ acceptedMs }: Look, startedAt: number): number =>
    acceptedMs !== null && acceptedMs > SETTLED_MS ? startedAt - SETTLED_MS : now();

  function leave(): void {
    if (closing.signal.aborted) return;
    if (leftAt !== undefined && now() - leftAt < LEAVE_EVERY_MS) return;
    leftAt = now();
    life = undefined;
    for (const redis of redises) connectAnew(redis);
    for (const listener of onLeave) listener();
  }

  function report(error: unknown): void {
    const isHeld = current() !== undefined;
    giveUpUnlessHeld();
    if (!closing.signal.aborted) logState(isHeld, error);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const startedAt = now();
      await renew().then(
        () => report(undefined),
        (error: unknown) => {
          report(error);
          if (isWrongServer(error)) leave();
        },
      );
      const left = Math.max(0, RENEW_EVERY_MS - (now() - startedAt));
      await pause(left, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  }
  void run();

  return {
    isHeld: () => current() !== undefined,

    read<T>(read: (epoch: string) => Promise<T>) {
      const lease = current();
      if (!lease) return Promise.resolve(undefined);
      const asked = connection;
      return new Promise<T | undefined>((resolve) => {
        const giveUp = (): void => end(undefined);
        const end = (answer: T | undefined): void => {
          waiting.delete(giveUp);
          resolve(answer);
        };
        waiting.add(giveUp);
        const reading = (async () => read(lease.epoch))();
        // A command is sent again where its connection breaks: another Redis may have answered.
        reading.then((answer) => end(connection === asked ? answer : undefined), giveUp);
      });
    },

    async invalidate(keys, write, topics = []) {
      const lease = current();
      // Where nobody may read from Redis nobody is to write there: others may use another Redis by now.
      if (!lease) return missed.recordUntilFollowed(keys, topics);
      const written = write(lease.epoch).then(() => {
        // Until it ends, nobody holds a lease on another epoch.
        if (current()?.epoch !== lease.epoch) throw new Error('the cache lease ended meanwhile');
      });
      try {
        await answerWithin(INVALIDATION_MS, written);
      } catch (error) {
        logger.debug(
          { err: error, keys: keys.length },
          'Redis did not take an invalidation: its keys are noted in Postgres',
        );
        // A Redis that is only slow may be faster.
        await firstOf(missed.recordUntilFollowed(keys, topics), written);
      }
    },

    life: () => life,
    runIds: () => (life === undefined ? undefined : runIds),
    leave,
    onLeave(listener) {
      onLeave.add(listener);
      return () => void onLeave.delete(listener);
    },

    close() {
      closing.abort();
      clearTimeout(lapse);
      held = undefined;
      giveUpUnlessHeld();
    },
  };
}

type StartedLook = { readonly startedAt: number; readonly seen: Look };

/** Too many connections, or one that only reads, say that others are served. */
const OTHERS_ARE_SERVED = /^(53|25)/;

/** There is no connection to Postgres. No answer in time is something else: others may be answered. */
const isAway = (error: unknown): boolean =>
  isConnectionError(error) &&
  !/time(out|d ?out)/i.test(error.message) &&
  !OTHERS_ARE_SERVED.test((error as NodeJS.ErrnoException).code ?? '');
