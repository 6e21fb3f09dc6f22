import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { withinMs } from '../deadline.js';
import type { EventLog, LogWindow } from '../event-log/index.js';
import type { LogWatch } from '../log-signal.js';
import type { Logger } from '../logger.js';
import {
  connectionOptions,
  isConnectionError,
  loadStatements,
  type Queryable,
  runOn,
  type Statement,
} from '../postgres.js';
import type { Projector } from './projector.js';

const BATCH = 1_000;
const POLL_MS = 1_000;
const TAKEOVER_MS = 500;
const PARTING_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const sql = loadStatements(new URL('./projector.sql', import.meta.url), [
  'noticeDeadPeer',
  'tryLock',
  'readCheckpoint',
  'moveCheckpoint',
  'recordFailure',
  'clearFailure',
]);

export interface ProjectorMetrics {
  readonly applied: Counter<'projector'>;
  readonly position: Gauge<'projector'>;
  readonly stalled: Gauge<'projector'>;
}

export function createProjectorMetrics(registry: Registry): ProjectorMetrics {
  const labels = { labelNames: ['projector'] as const, registers: [registry] };
  return {
    applied: new Counter({ name: 'projector_events_applied_total', help: 'Events applied', ...labels }),
    position: new Gauge({ name: 'projector_position', help: 'Last log position applied', ...labels }),
    stalled: new Gauge({ name: 'projector_stalled', help: '1 while an event cannot be applied', ...labels }),
  };
}

interface Deps {
  readonly databaseUrl: string;
  readonly log: Pick<EventLog, 'readAll' | 'upcast'>;
  readonly watch: LogWatch;
  readonly logger: Logger;
  readonly metrics: ProjectorMetrics;
  /** After this a statement without an answer is given up, and with it the connection; 60 s unless told. */
  readonly queryTimeoutMs?: number;
}

/**
 * Runs a projector until `signal` aborts. Only one holder runs it in the whole fleet: the one whose connection has its
 * advisory lock. The same connection applies and checkpoints, so a holder that lost its lock cannot commit either.
 */
export async function runProjector(deps: Deps, projector: Projector, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({
      ...connectionOptions(deps.databaseUrl, `projector ${projector.name}`),
      ...(deps.queryTimeoutMs === undefined ? {} : { query_timeout: deps.queryTimeoutMs }),
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    try {
      await client.connect();
      const connection = connectionOf(client, lost);
      await connection.query(sql.noticeDeadPeer);
      const until = AbortSignal.any([signal, lost.signal]);
      if (await becomeHolder(connection, projector.name, until))
        await follow(deps, projector, connection, until);
    } catch (error) {
      deps.logger.error({ err: error, projector: projector.name }, 'projector lost its connection');
      await waitFor(TAKEOVER_MS, signal);
    } finally {
      await withinMs(PARTING_MS, client.end()).catch(() => undefined);
    }
  }
}

/** The client's statements. Once one of them found the connection lost or silent, the others reject at once. */
const connectionOf = (client: pg.Client, lost: AbortController): Queryable => ({
  async query<Row extends pg.QueryResultRow>(statement: string | Statement, values?: readonly unknown[]) {
    lost.signal.throwIfAborted();
    try {
      return await runOn<Row>(client, statement, values);
    } catch (error) {
      if (isConnectionError(error)) lost.abort(error);
      throw error;
    }
  },
});

async function becomeHolder(connection: Queryable, name: string, until: AbortSignal): Promise<boolean> {
  while (!until.aborted) {
    const { rows } = await connection.query<{ held: boolean }>(sql.tryLock, [name]);
    if (rows[0]?.held) return true;
    await waitFor(TAKEOVER_MS, until);
  }
  return false;
}

/** Applies what is there, waits for more, and stands still, loudly, at an event that cannot be applied. */
async function follow(
  deps: Deps,
  projector: Projector,
  connection: Queryable,
  until: AbortSignal,
): Promise<void> {
  const { rows } = await connection.query<{ last_position: number }>(sql.readCheckpoint, [projector.name]);
  let position = rows[0]!.last_position;
  let failures = 0;
  // Whoever held the projector before may have recorded a failure.
  let failureRecorded = true;
  // Up to here events are applied one by one, since one of them is poison.
  let singlyUntil = 0;
  while (!until.aborted) {
    const window = await deps.log.readAll(position, position < singlyUntil ? 1 : BATCH, {
      types: [...projector.eventTypes],
      on: connection,
    });
    if (window.through === position) {
      await deps.watch.grown(POLL_MS, until);
      continue;
    }
    const failed = await applyWindow(deps, projector, connection, position, window);
    if (failed === undefined) {
      position = window.through;
      if (failureRecorded) await connection.query(sql.clearFailure, [projector.name]);
      failureRecorded = false;
      failures = 0;
      deps.metrics.stalled.set({ projector: projector.name }, 0);
    } else if (window.through > position + 1) {
      singlyUntil = window.through;
    } else {
      failures += 1;
      failureRecorded = true;
      await standStill(deps, projector, connection, window.through, failed);
      await waitFor(Math.min(MAX_RETRY_MS, 250 * 2 ** failures), until);
    }
  }
}

/** @returns the error that kept the window from being applied; nothing of it was then */
async function applyWindow(
  deps: Deps,
  projector: Projector,
  connection: Queryable,
  from: number,
  { events, through }: LogWindow,
): Promise<Error | undefined> {
  await connection.query('BEGIN');
  // First of all, since its row lock is what keeps a rebuild from swapping tables under this transaction.
  const { rowCount } = await connection.query(sql.moveCheckpoint, [projector.name, from, through]);
  if (rowCount !== 1) {
    await connection.query('ROLLBACK');
    throw new Error(`checkpoint of ${projector.name} is not at ${from} any more`);
  }
  let afterCommit: (() => Promise<void>) | undefined;
  try {
    if (events.length > 0) afterCommit = await projector.apply(events.map(deps.log.upcast), connection);
  } catch (error) {
    // Rejects where the connection is lost: that is no fault of the event.
    await connection.query('ROLLBACK');
    return error instanceof Error ? error : new Error(String(error));
  }
  await connection.query('COMMIT');
  deps.metrics.applied.inc({ projector: projector.name }, events.length);
  deps.metrics.position.set({ projector: projector.name }, through);
  await afterCommit?.().catch((error: unknown) =>
    deps.logger.warn({ err: error, projector: projector.name }, 'wake-ups after a commit failed'),
  );
  return undefined;
}

async function standStill(
  deps: Deps,
  projector: Projector,
  connection: Queryable,
  position: number,
  error: Error,
): Promise<void> {
  deps.metrics.stalled.set({ projector: projector.name }, 1);
  deps.logger.error(
    { err: error, projector: projector.name, position },
    'projector stands still: it cannot apply an event',
  );
  await connection.query(sql.recordFailure, [projector.name, position, error.message]);
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
