import { setTimeout as pause } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { createPool } from './clients.js';
import { isLockTimeout } from './postgres.js';
import { WITHOUT_TIMEOUTS } from './postgres-timeouts.js';

/** How a migration waits for the locks of tables that others use. In milliseconds. */
export interface LockWaits {
  /** After so long a request for a lock is given up: every later statement on that table waits behind it. */
  readonly timeoutMs: number;
  /** Between two tries: what waited behind the first one comes through. */
  readonly pauseMs: number;
  /** From the first try on. What still lacks a lock then has failed. */
  readonly giveUpAfterMs: number;
}

export const LOCK_WAITS: LockWaits = { timeoutMs: 2_000, pauseMs: 3_000, giveUpAfterMs: 300_000 };

/**
 * Part of a script's transaction: a migration that is recorded as begun and not as finished has changed nothing, whatever
 * killed the process or cut its connection. The engine records the same once more. Where another process has given the
 * migration up meanwhile, it fails.
 */
const FINISHED = `
;DO $finished$ BEGIN
  UPDATE "_prisma_migrations" SET finished_at = clock_timestamp() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'another process has begun this migration anew'; END IF;
END $finished$`;

/**
 * Records that migrations which were begun and not finished have been rolled back: they may be made again.
 *
 * @returns their names
 */
export async function giveUpUnfinished(on: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]> {
  const { rows } = await on.query<{ name: string }>(
    `UPDATE "_prisma_migrations" SET rolled_back_at = clock_timestamp()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL RETURNING migration_name AS name`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Prisma's adapter cuts scripts at every semicolon, function bodies included, and runs the pieces one by one.
 * Sent whole, a script may hold anything that Postgres reads, and is one implicit transaction. One that cannot have its
 * locks has changed nothing, and is made again.
 */
export class WholeScripts extends PrismaPg {
  /** The script that Postgres refused, and why; the engine's own error has neither line nor position. */
  failure: { readonly error: unknown; readonly script: string } | undefined;
  /** Where it connects to. */
  readonly pool: pg.Pool;

  /** @param onWait called once for each script that has to wait longer than for one try */
  constructor(
    databaseUrl: string,
    applicationName: string,
    private readonly waits: LockWaits,
    private readonly onWait: () => Promise<void>,
  ) {
    const options = { max: 1, applicationName, timeouts: WITHOUT_TIMEOUTS, onError: () => undefined };
    const pool = createPool(databaseUrl, options);
    super(pool);
    this.pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      try {
        await (isConcurrent(script) ? this.#runConcurrently(script) : this.#runUntilLocked(script));
      } catch (error) {
        this.failure = { error, script };
        throw error;
      }
    };
    return adapter;
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  /** An earlier run may have been cut short: what it left is invalid, or whole. */
  async #runConcurrently(script: string): Promise<void> {
    const index = indexOf(script);
    const { rows } = await this.pool.query<{ valid: boolean }>(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1))`,
      [index],
    );
    const [left] = rows;
    if (left?.valid) return;
    if (left) await this.pool.query(`DROP INDEX CONCURRENTLY "${index}"`);
    await this.pool.query(withoutFailingDrop(script));
  }

  async #runUntilLocked(script: string): Promise<void> {
    const { pauseMs, giveUpAfterMs } = this.waits;
    const giveUpAt = performance.now() + giveUpAfterMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#runOnce(script);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (performance.now() + pauseMs > giveUpAt) throw heldByOthers(giveUpAfterMs, error);
      }
      if (tries === 1) await this.onWait();
      await pause(pauseMs);
    }
  }

  /** The limit is the script's alone: the engine's and our own advisory locks are waited for as long as it takes. */
  async #runOnce(script: string): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query(`SET lock_timeout = ${this.waits.timeoutMs}`);
      await client.query(commitsItself(script) ? script : script + FINISHED);
    } finally {
      await client.query('SET lock_timeout = 0').catch(() => undefined);
      client.release();
    }
  }
}

/** Such a script is one statement, which runs in no transaction, and whose locks nobody who reads or writes waits for. */
const isConcurrent = (script: string): boolean =>
  /^\s*(CREATE|DROP|REINDEX)\b[^;]*\bCONCURRENTLY\b/i.test(withoutComments(script));

/**
 * Such a script is one DO block that commits step by step, and goes on where it was killed: it runs in no transaction, and is
 * made again until it came to its end.
 */
const commitsItself = (script: string): boolean => /^\s*DO\b.*\bCOMMIT\s*;/is.test(withoutComments(script));

/** The index that a concurrent script creates. */
const indexOf = (script: string): string | undefined =>
  /^\s*CREATE\b[^;]*?\bCONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)/i.exec(withoutComments(script))?.[1];

/** An index that an earlier run has dropped before it was cut short is gone. */
const withoutFailingDrop = (script: string): string =>
  script.replace(/\bDROP\s+INDEX\s+CONCURRENTLY\s+(?!IF\s+EXISTS)/i, 'DROP INDEX CONCURRENTLY IF EXISTS ');

const withoutComments = (script: string): string => script.replaceAll(/--.*$/gm, '');

const heldByOthers = (afterMs: number, cause: unknown): Error =>
  new Error(
    `others held a lock that it needs for ${Math.round(afterMs / 1_000)} s; it has changed nothing. ` +
      'End what holds it (see pg_locks and pg_stat_activity), then migrate again',
    { cause },
  );
