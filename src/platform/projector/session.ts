import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { withinMs } from '../deadline.js';
import {
  connectionOptions,
  isConnectionError,
  loadStatements,
  type Queryable,
  runOn,
  type Statement,
} from '../postgres.js';

const PARTING_MS = 1_000;
const TAKEOVER_MS = 500;
const sql = loadStatements(new URL('./session.sql', import.meta.url), [
  'noticeDeadPeer',
  'readByIndex',
  'tryLock',
]);

export interface SessionOptions {
  readonly databaseUrl: string;
  /** After this a statement without an answer is given up, and with it the session; 60 s unless told. */
  readonly queryTimeoutMs?: number;
}

/** A connection that nobody else uses, for locks that live as long as it does. */
export interface Session extends Queryable {
  /** Aborts once the connection is found lost or silent; every later statement rejects at once. */
  readonly lost: AbortSignal;
  /** Also cuts off what is on its way. */
  close(): Promise<void>;
}

/** @param name shows in the server's list of sessions */
export async function openSession(options: SessionOptions, name: string): Promise<Session> {
  const client = new pg.Client({
    ...connectionOptions(options.databaseUrl, name),
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  const session: Session = {
    lost: lost.signal,
    async query<Row extends pg.QueryResultRow>(statement: string | Statement, values?: readonly unknown[]) {
      lost.signal.throwIfAborted();
      try {
        return await runOn<Row>(client, statement, values);
      } catch (error) {
        if (isConnectionError(error)) lost.abort(error);
        throw error;
      }
    },
    close: () => withinMs(PARTING_MS, client.end()).catch(() => undefined),
  };
  try {
    await client.connect();
    await session.query(sql.noticeDeadPeer);
    await session.query(sql.readByIndex);
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
    const { rows } = await session.query<{ held: boolean }>(sql.tryLock, [lock]);
    if (rows[0]?.held) return true;
    await waitFor(TAKEOVER_MS, until);
  }
  return false;
}

/** Resolves after `ms`, or when the signal aborts. */
export const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
