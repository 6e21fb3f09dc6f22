import type pg from 'pg';
import { waitFor, withinMs } from '../deadline.js';
import { createClient } from '../postgres/clients.js';
import { isConnectionError, type Queryable, runOn, type Statement } from '../postgres/postgres.js';
import type { SessionTimeouts } from '../postgres/postgres-timeouts.js';
import { sql } from './session.sql.js';

const PARTING_MS = 1_000;
const TAKEOVER_MS = 500;
/** A session that is neither used nor touched for so long belongs to a process that is frozen or gone. */
const IDLE_MS = 3_000;
const TOUCH_MS = 750;

export interface SessionOptions {
  readonly databaseUrl: string;
  /** By default a worker's; a transaction and a session that are idle end sooner. */
  readonly timeouts?: SessionTimeouts;
  /** After this a statement without an answer is given up, and with it the session; by default later than the server's. */
  readonly queryTimeoutMs?: number;
  /** Postgres ends a session that its process did not touch for so long; 3 s by default. */
  readonly idleMs?: number;
}

/**
 * A connection that nobody else uses, for locks that live as long as it does. It lives as long as its process runs: one that
 * is frozen, and so does not touch it for 3 s, loses it, whether or not a transaction is open.
 */
export interface Session extends Queryable {
  /** Aborts once the connection is found lost or silent; every later statement rejects at once. */
  readonly lost: AbortSignal;
  /** Also cuts off what is on its way. */
  close(): Promise<void>;
}

/** @param name shows in the server's list of sessions */
export async function openSession(options: SessionOptions, name: string): Promise<Session> {
  const client = createClient(
    options.databaseUrl,
    { applicationName: name, ...(options.timeouts && { timeouts: options.timeouts }) },
    options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs },
  );
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  let underWay = 0;
  let touch: Promise<unknown> | undefined;
  const session: Session = {
    lost: lost.signal,
    async query<Row extends pg.QueryResultRow>(
      statement: string | Statement<Row>,
      values?: readonly unknown[],
    ) {
      underWay += 1;
      try {
        // One statement at a time.
        await touch;
        lost.signal.throwIfAborted();
        return await runOn<Row>(client, statement, values);
      } catch (error) {
        if (isConnectionError(error)) lost.abort(error);
        throw error;
      } finally {
        underWay -= 1;
      }
    },
    close() {
      clearInterval(touching);
      return withinMs(PARTING_MS, client.end()).catch(() => undefined);
    },
  };
  let touching: NodeJS.Timeout | undefined;
  async function touchNow(): Promise<void> {
    try {
      await runOn(client, sql.touch);
    } catch (error) {
      if (isConnectionError(error)) lost.abort(error);
    }
    touch = undefined;
  }
  try {
    await client.connect();
    await session.query(sql.noticeDeadPeer);
    await session.query(sql.readByIndex);
    const { idleMs = IDLE_MS } = options;
    await session.query(sql.endWhenIdle, [String(idleMs)]);
    touching = setInterval(
      () => {
        if (lost.signal.aborted) clearInterval(touching);
        // In a transaction that has failed it is refused; the transaction's own statements report that.
        else if (underWay === 0 && !touch) touch = touchNow();
      },
      Math.min(TOUCH_MS, idleMs / 4),
    );
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Waits until nobody else in the fleet holds the lock, and takes it for as long as the session lives.
 *
 * @returns false where `until` aborted first
 */
export async function takeLock(session: Session, lock: string, until: AbortSignal): Promise<boolean> {
  while (!until.aborted) {
    const { rows } = await session.query(sql.tryLock, [lock]);
    if (rows[0]?.held) return true;
    await waitFor(TAKEOVER_MS, until);
  }
  return false;
}
