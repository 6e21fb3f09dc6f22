import { setTimeout as pause } from 'node:timers/promises';
import { Counter, type Registry } from 'prom-client';
import { createForget, type Forget } from '../forget.js';
import type { Queryable } from '../postgres/postgres.js';
import { forEverybody } from '../wake-ups/reader.js';
import { sql } from './missed-writes.sql.js';

/** How long a renewed cache lease lasts, from the start of its renewal. */
export const LEASE_MS = 1_000;
/** Clocks of two processes run at different speeds, and a lease is looked at a little before it is used. */
export const MARGIN_MS = 200;
/** So long after a note was committed each process has followed it, or lost its lease. */
export const FOLLOWED_MS = LEASE_MS + MARGIN_MS;
/** More rows than this since the last look: listeners read everything again. */
const MOST_ROWS = 5_000;
/** Rows that are applied in one round trip. */
const APPLIED_AT_ONCE = 500;
/** Processes that were away for longer read everything again. */
const KEPT_MINUTES = 60;
const AWAY_MS = 30 * 60_000;
/** The snapshot before every transaction. */
const BEFORE_ALL = '1:1:';

/** No id holds a control character, and no other key begins with one. */
const EPOCH_MARK = '\u0001';

/** A key that holds the epoch of Redis, as it is noted: a process that cannot reach Redis does not know the epoch. */
export const keyOfAnyEpoch = (before: string, after: string): string =>
  `${EPOCH_MARK}${before}${EPOCH_MARK}${after}`;

/** The key that a noted one stands for in this epoch. */
export function keyInEpoch(noted: string, epoch: string): string {
  if (!noted.startsWith(EPOCH_MARK)) return noted;
  const end = noted.indexOf(EPOCH_MARK, 1);
  return noted.slice(1, end) + epoch + noted.slice(end + 1);
}

/** What one look at Postgres shows. */
export interface Look {
  /** Keys wait to be deleted. */
  readonly hasUnapplied: boolean;
  /** The epoch of the Redis that caches are answered from; null before the first. */
  readonly epoch: string | null;
  /** The epoch, and how often it was accepted again: what was cached in another life is not used. Null as `epoch` is. */
  readonly life: string | null;
  /** Grows while processes use that server. Null as `epoch` is. */
  readonly uses: number | null;
  /** Milliseconds since that was accepted, by the clock of Postgres. */
  readonly acceptedMs: number | null;
}

export type MissedWritesLog = ReturnType<typeof createMissedWrites>;
/** What others than the cache lease need of it. */
export type MissedWrites = Pick<MissedWritesLog, 'recordTopics' | 'onTopics'>;

/**
 * Writes to Redis that failed after their commit in Postgres, noted there so that every process makes up for them.
 *
 * @param deps.postgres for notes
 * @param deps.following for looks: a connection of its own, which a full pool does not hold up
 * @param deps.now milliseconds that only ever grow
 */
export function createMissedWrites(deps: {
  readonly postgres: Queryable;
  readonly following: Queryable;
  readonly metrics: Registry;
  readonly now?: () => number;
}) {
  const { postgres, following, now = () => performance.now() } = deps;
  const listeners = new Set<(topics: readonly string[] | 'all') => void>();
  const missed = new Counter({
    name: 'missed_redis_writes_total',
    help: 'Writes to Redis that failed after their commit and were noted in Postgres: keys to delete, topics to read again',
    labelNames: ['what'],
    registers: [deps.metrics],
  });
  let seen: string | null = null;
  let lookedAt: number | undefined;
  /** No keys waited in this snapshot. */
  let appliedIn = BEFORE_ALL;

  function notify(topics: readonly string[] | 'all'): void {
    for (const listener of listeners) listener(topics);
  }

  /** What is new in these rows. */
  function follow(rows: readonly RecentRow[], snapshot: string, wentBack: boolean): void {
    const isFirst = lookedAt === undefined;
    const wasAway = lookedAt !== undefined && now() - lookedAt > AWAY_MS;
    seen = snapshot;
    lookedAt = now();
    if (isFirst || wasAway || wentBack || rows.length >= MOST_ROWS) notify('all');
    else if (rows.length > 0) notify([...new Set(rows.flatMap(([, topics]) => topics))]);
  }

  async function note(keys: readonly string[], topics: readonly string[]): Promise<void> {
    if (keys.length === 0 && topics.length === 0) return;
    await forEverybody(() => postgres.query(sql.record, [keys, topics]));
    if (keys.length > 0) missed.inc({ what: 'keys' }, keys.length);
    if (topics.length > 0) missed.inc({ what: 'topics' }, topics.length);
  }

  return {
    /** Notes topics whose subscribers must read their sources again. @throws whatever Postgres throws */
    recordTopics: (topics: readonly string[]): Promise<void> => note([], topics),

    /**
     * Notes keys that must be deleted from Redis, and topics. Resolves once each process has followed the note, or lost its lease:
     * the life of a lease and a margin later.
     *
     * @param keys those that hold the epoch as `keyOfAnyEpoch` writes them
     * @throws whatever Postgres throws: nothing may be acknowledged then
     */
    async recordUntilFollowed(keys: readonly string[], topics: readonly string[]): Promise<void> {
      await note(keys, topics);
      await pause(FOLLOWED_MS);
    },

    /**
     * `listener` is called with the topics that any process noted, this one included; with 'all' where this process may
     * have missed notes.
     *
     * @returns stops it
     */
    onTopics(listener: (topics: readonly string[] | 'all') => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Reads what is new and notifies the listeners of topics. One call at a time. */
    async look(): Promise<Look> {
      const { rows } = await following.query(sql.look, [seen, appliedIn, MOST_ROWS]);
      const { snapshot, recent, hasUnapplied, ...accepted } = rows[0]!;
      // Another Postgres in the place of the old one counts from somewhere else.
      const wentBack = seen !== null && endOf(snapshot) < endOf(seen);
      if (wentBack) appliedIn = BEFORE_ALL;
      else if (!hasUnapplied) appliedIn = snapshot;
      follow(recent, snapshot, wentBack);
      return { ...accepted, hasUnapplied: hasUnapplied || wentBack };
    },

    /**
     * Gives all keys that wait to `apply`, some hundred rows at a time, and marks them once it resolves.
     *
     * @param life of the server that they are deleted from
     * @throws where another was accepted meanwhile: rows may have been marked for that one's sake
     */
    async applyAll(life: string, apply: (keys: readonly string[]) => Promise<void>): Promise<void> {
      for (let last: readonly [string, number] = ['0', 0], more = true; more; ) {
        const found = await following.query(sql.unapplied, [appliedIn, ...last, APPLIED_AT_ONCE]);
        const { life: accepted, rows } = found.rows[0]!;
        if (accepted !== life) throw new Error('another Redis was accepted meanwhile');
        if (rows.length === 0) return;
        await apply([...new Set(rows.flatMap(([, , keys]) => keys))]);
        await following.query(sql.markApplied, [rows.map(([, id]) => id)]);
        const [xid, id] = rows.at(-1)!;
        last = [xid, id];
        more = rows.length === APPLIED_AT_ONCE;
      }
    },

    /**
     * Makes an epoch the accepted one, unless its server was left for another: what was noted in earlier ones has no meaning
     * there.
     *
     * @param unused the accepted one, where nobody uses it: even a server that was left comes back then, in another life
     */
    async acceptEpoch(epoch: string, unused?: Pick<Look, 'epoch' | 'uses'>): Promise<void> {
      await following.query(sql.acceptEpoch, [epoch, unused?.epoch, unused?.uses]);
    },

    /** Says that the accepted epoch is used. */
    async noteUse({ epoch, uses }: Pick<Look, 'epoch' | 'uses'>): Promise<void> {
      await following.query(sql.noteUse, [epoch, uses]);
    },
  };
}

export type RecentRow = readonly [id: number, topics: readonly string[]];

/** The first transaction that had not begun. */
const endOf = (snapshot: string): bigint => BigInt(snapshot.split(':')[1]!);

/** Forgets rows that every process has followed long ago. */
export const createForgetMissedWrites = (postgres: Queryable): Forget =>
  createForget(postgres, sql.forget, () => KEPT_MINUTES);
