import type pg from 'pg';
import { Counter, type Registry } from 'prom-client';
import type { CacheLease } from '../../cache/cache-lease.js';
import type { MissedWrites } from '../../cache/missed-writes.js';
import type { ReplicaConfig } from '../../config.js';
import { withinMs } from '../../deadline.js';
import { PublicError } from '../../errors.js';
import type { Logger } from '../../logging/logger.js';
import type { Redis } from '../../redis/redis.js';
import { currentReader, type Reader } from '../../wake-ups/reader.js';
import { type PoolOptions } from '../clients.js';
import { openPostgres, type Postgres, type Queryable, runOn, type Statement } from '../postgres.js';
import { createOwnWrites } from './own-writes.js';
import { type Replica, type Unused, watchReplicas } from './replica-watch.js';

/** A replica has so long for a read; then the primary is asked. */
const READ_MS = 2_000;
/** For its own end of the statement to come. */
const GRACE_MS = 500;
/** What a read is waited for altogether, a free connection included. */
const ANSWER_MS = 4_000;

/** Where lists and history are read. */
export interface Replicas extends Queryable {
  /**
   * After changes of a user, before they are acknowledged: what they read next includes them, in whichever process.
   *
   * @throws where that cannot be promised
   */
  noteWrite(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** Where there are none: the primary answers everything, and nothing is noted. */
export const withoutReplicas = (primary: Queryable): Replicas => ({
  query: (statement, values) => primary.query(statement, values),
  noteWrite: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/**
 * Reads on replicas what bears to be a little old: by `maxLagMs` at most, and never older than what its reader has written. A
 * read on behalf of nobody, and one of somebody's event or mutation, goes to the primary; so does what a replica fails at,
 * be it a conflict with what it replays.
 */
export function openReplicas(
  { urls, maxLagMs }: ReplicaConfig,
  deps: {
    readonly postgres: Postgres;
    /** As of the primary's pool. */
    readonly pool: Omit<PoolOptions, 'onError'>;
    readonly redis: Redis;
    readonly lease: CacheLease;
    readonly missedWrites: MissedWrites;
    readonly logger: Logger;
    readonly metrics: Registry;
  },
): Replicas {
  const { postgres: primary, logger, metrics } = deps;
  const pools = urls.map((url) =>
    openPostgres(url, {
      ...deps.pool,
      mayBeStandby: true,
      timeouts: { ...deps.pool.timeouts, statementMs: READ_MS },
      onError: (error) => logger.debug({ err: error }, 'an idle connection to a replica broke'),
    }),
  );
  const replicas = urls.map((url, index) => ({
    name: new URL(url).host,
    postgres: {
      query: <Row extends pg.QueryResultRow>(
        statement: string | Statement<Row>,
        values?: readonly unknown[],
      ) => withinMs(ANSWER_MS, runOn<Row>(pools[index]!.pool, statement, values, READ_MS + GRACE_MS)),
    },
  }));
  const watch = watchReplicas({ primary, replicas, maxLagMs, logger, metrics });
  const ownWrites = createOwnWrites({ ...deps, primary, maxLagMs, onLost: watch.forgetMarks });
  const reads = new Counter({
    name: 'replica_reads_total',
    help: 'Reads of lists and history by who answered: a replica, or the primary, and then why',
    labelNames: ['answered_by', 'reason'],
    registers: [metrics],
  });
  /** Of one operation each: what it reads in two steps may only become newer in between. */
  const choices = new WeakMap<Reader, Promise<Replica | Unused | 'failed'>>();

  function choose(reader: Reader): Promise<Replica | Unused | 'failed'> {
    const choice = choices.get(reader) ?? chooseAnew(reader.viewer?.userId);
    choices.set(reader, choice);
    return choice;
  }

  async function chooseAnew(userId: string | undefined): Promise<Replica | Unused> {
    const written = userId === undefined ? 0 : await ownWrites.of(userId);
    return written === undefined ? 'own_write' : watch.choose(userId ?? '', written);
  }

  return {
    async query<Row extends pg.QueryResultRow>(
      statement: string | Statement<Row>,
      values?: readonly unknown[],
    ) {
      const reader = currentReader();
      if (reader?.viewer === undefined) return primary.query(statement, values);
      let chosen = await choose(reader);
      if (typeof chosen !== 'string') {
        try {
          const found = await chosen.postgres.query(statement, values);
          reads.inc({ answered_by: 'replica', reason: '' });
          return found;
        } catch (error) {
          // The reader has gone.
          if (error instanceof PublicError) throw error;
          logger.debug({ err: error, replica: chosen.name }, 'a replica did not answer: the primary does');
          chosen = 'failed';
          choices.set(reader, Promise.resolve(chosen));
        }
      }
      reads.inc({ answered_by: 'primary', reason: chosen });
      return primary.query(statement, values);
    },
    noteWrite(userId) {
      const reader = currentReader();
      if (reader) choices.delete(reader);
      return ownWrites.note(userId);
    },
    async close() {
      ownWrites.close();
      watch.close();
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
