import pg from 'pg';
import { waitFor } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import { isConnectionError, isLockTimeout } from '../postgres/postgres.js';
import { ROLE_TIMEOUTS, type SessionTimeouts } from '../postgres/postgres-timeouts.js';
import { applyNext, type Build, CannotApply, foldTo } from './fold.js';
import type { ProjectorMetrics } from './metrics.js';
import { dropNewTables, makeNewTables, type NewTables } from './new-tables.js';
import type { Projector } from './projector.js';
import { sql } from './rebuild.sql.js';
import { sql as progress } from './rebuild-progress.sql.js';
import { openSession, type SessionOptions, takeLock } from './session.js';

/** The live read model is stalled while about so many events, at most, are added to the new one. */
const NEAR = 1_000;
/** How long a swap waits for the live read model's batch, and how long readers wait behind a swap. */
const CHECKPOINT_LOCK_MS = 1_000;
const TABLE_LOCK_MS = 100;
const MAX_RETRY_MS = 5_000;

export interface RebuildDeps extends SessionOptions {
  /** For the session that builds beside the live read model: one of its statements may fill or index a whole table. */
  readonly rebuildTimeouts?: SessionTimeouts;
  readonly log: Build['log'];
  readonly logger: Logger;
  readonly metrics: Pick<ProjectorMetrics, 'rebuildPosition'>;
}

/**
 * Builds a projector's read model anew from the whole log, beside the live one and on a session of its own, up to
 * where the live one is; then swaps them in one transaction. What `apply` returns is dropped: no wake-up is repeated.
 *
 * Ends the request, with its error where an event cannot be applied; the live read model stays then. Only where a
 * connection is lost or `signal` aborts does the request stay, for the next holder to start anew.
 *
 * @throws where a connection is lost
 */
export async function rebuild(deps: RebuildDeps, projector: Projector, signal: AbortSignal): Promise<void> {
  const { name } = projector;
  const { rebuildTimeouts: timeouts = ROLE_TIMEOUTS.rebuild } = deps;
  const session = await openSession({ ...deps, timeouts }, `rebuild ${name}`);
  const abandon = (): void => void session.close();
  signal.addEventListener('abort', abandon, { once: true });
  const build: Build = {
    log: deps.log,
    projector,
    session,
    position: 0,
    onProgress: (position) => deps.metrics.rebuildPosition.set({ projector: name }, position),
  };
  try {
    const until = AbortSignal.any([signal, session.lost]);
    // Its last holder may be gone and its session not yet.
    if (!(await takeLock(session, `rebuild:${name}`, until))) return;
    await session.query(progress.noteStart, [name]);
    await buildAndSwap(build, until);
    deps.logger.info({ projector: name, position: build.position }, 'a read model was built anew');
  } catch (error) {
    if (signal.aborted) return;
    // Its own session's connection, or the one that it reads the log by.
    if (session.lost.aborted || isConnectionError(error)) throw error;
    deps.logger.error({ err: error, projector: name }, 'a read model could not be built anew');
    await giveUp(build, error);
  } finally {
    signal.removeEventListener('abort', abandon);
    deps.metrics.rebuildPosition.remove({ projector: name });
    await session.close();
  }
}

async function buildAndSwap(build: Build, until: AbortSignal): Promise<void> {
  const { session, projector } = build;
  // Until the swap there is nothing that a crash could lose. Plans go by the tables' size, which changes fast.
  await session.query('SET synchronous_commit = off');
  await session.query('SET plan_cache_mode = force_custom_plan');
  const tables = await makeNewTables(session, projector);
  await catchUp(build);
  await tables.finish();
  // Indexes of a large model take a while.
  await catchUp(build);
  for (let tries = 0; !(await trySwap(build, tables)); tries += 1) {
    await waitFor(Math.min(MAX_RETRY_MS, TABLE_LOCK_MS * 2 ** tries), until);
    await catchUp(build);
  }
}

/** Follows the live read model until it is near. */
async function catchUp(build: Build): Promise<void> {
  for (let far = true; far; ) {
    const { rows } = await build.session.query(sql.readCheckpoint, [build.projector.name]);
    const live = rows[0]!.position;
    far = live - build.position > NEAR;
    await foldTo(build, live);
  }
}

/** @returns false, and nothing changed, where somebody did not release the lock in time: readers must not queue behind us */
async function trySwap(build: Build, tables: NewTables): Promise<boolean> {
  const { session, projector } = build;
  await session.query('BEGIN');
  try {
    await session.query('SET LOCAL synchronous_commit = on');
    await session.query(`SET LOCAL lock_timeout = ${CHECKPOINT_LOCK_MS}`);
    const { rows } = await session.query(sql.holdCheckpoint, [projector.name]);
    const live = rows[0]!.position;
    let position = build.position;
    while (position < live) position = await applyNext(build, position, live - position);
    await session.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`);
    await tables.takeOver();
    await session.query(sql.finish, [projector.name, position, null]);
  } catch (error) {
    await session.query('ROLLBACK');
    // What cannot be applied is looked for outside of the swap.
    if (error instanceof CannotApply || isLockTimeout(error)) return false;
    throw error;
  }
  await session.query('COMMIT');
  return true;
}

async function giveUp({ session, projector, position }: Build, error: unknown): Promise<void> {
  await session.query('ROLLBACK');
  await session.query('BEGIN');
  await dropNewTables(session, projector);
  await session.query(sql.finish, [projector.name, position, reasonOf(error)]);
  await session.query('COMMIT');
}

function reasonOf(error: unknown): string {
  if (error instanceof pg.DatabaseError && error.detail) return `${error.message}: ${error.detail}`;
  return error instanceof Error ? error.message : String(error);
}
