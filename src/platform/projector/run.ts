import { waitFor } from '../deadline.js';
import type { EventLog, LogTail, LogWindow } from '../event-log/index.js';
import type { LogWatch } from '../logging/log-signal.js';
import type { Logger } from '../logging/logger.js';
import type { Queryable } from '../postgres/postgres.js';
import { publishToAll, type WakeUpPublisher } from '../wake-ups/wake-ups.js';
import { AfterCommit } from './after-commit.js';
import type { ProjectorMetrics } from './metrics.js';
import { type Projector, wantedTypes } from './projector.js';
import { sql } from './projector.sql.js';
import type { RebuildDeps } from './rebuild.js';
import { watchRebuilds } from './rebuild-watch.js';
import { openSession, type Session, type SessionOptions, takeLock } from './session.js';
import { beginSpans, type TracedEvents } from './traced-events.js';

export { createProjectorMetrics } from './metrics.js';

const BATCH = 1_000;
const POLL_MS = 1_000;
/** Events that a projector does not want move its stored checkpoint this often at most. */
const SETTLE_MS = 500;
const RECONNECT_MS = 500;
const MAX_RETRY_MS = 30_000;

interface Deps extends SessionOptions, Pick<RebuildDeps, 'rebuildTimeouts'> {
  readonly log: Pick<EventLog, 'readAll' | 'upcast'>;
  /** Shared by all projectors of the process. */
  readonly tail: LogTail;
  readonly watch: LogWatch;
  /** Makes up for wake-ups that were lost, an earlier holder's too. */
  readonly wakeUps: WakeUpPublisher;
  readonly logger: Logger;
  readonly metrics: ProjectorMetrics;
}

/**
 * Runs a projector until `signal` aborts. Only one holder runs it in the whole fleet: the one whose connection has its
 * advisory lock. The same connection applies and checkpoints, so a holder that lost its lock cannot commit either.
 */
export async function runProjector(deps: Deps, projector: Projector, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let session: Session | undefined;
    try {
      session = await openSession(deps, `projector ${projector.name}`);
      const until = AbortSignal.any([signal, session.lost]);
      if (await takeLock(session, `projector:${projector.name}`, until))
        await lead(deps, projector, session, until);
    } catch (error) {
      deps.logger.error({ err: error, projector: projector.name }, 'projector lost its connection');
      await waitFor(RECONNECT_MS, signal);
    } finally {
      await session?.close();
    }
  }
}

/** What the holder does: it follows the log and, where that is asked for, rebuilds beside it. */
async function lead(deps: Deps, projector: Projector, session: Session, until: AbortSignal): Promise<void> {
  const { metrics, logger } = deps;
  const rebuilds = watchRebuilds(deps, projector, session, until);
  const afterCommit = new AfterCommit(projector.name, logger, () => publishToAll(deps.wakeUps));
  // The holder before may have died between a commit and its wake-up.
  afterCommit.add(() => publishToAll(deps.wakeUps), 0);
  try {
    await follow(deps, projector, session, { lookForRebuilds: rebuilds.look, afterCommit }, until);
  } finally {
    // From now on another holder reports them.
    metrics.position.remove({ projector: projector.name });
    metrics.stalled.remove({ projector: projector.name });
    await Promise.all([rebuilds.stop(), afterCommit.close()]);
  }
}

/** Applies what is there, waits for more, and is stalled, loudly, at an event that cannot be applied. */
async function follow(
  deps: Deps,
  projector: Projector,
  connection: Queryable,
  beside: { lookForRebuilds(): Promise<void>; readonly afterCommit: AfterCommit },
  until: AbortSignal,
): Promise<void> {
  deps.tail.forget();
  await connection.query(sql.register, [projector.name, (projector.tables ?? []).length > 0]);
  const { rows } = await connection.query(sql.readCheckpoint, [projector.name]);
  const types = wantedTypes(projector);
  const checkpoint = new Checkpoint(projector.name, connection, rows[0]!.position);
  let failures = 0;
  // The holder before may have recorded a failure.
  let failureRecorded = true;
  // Up to here events are applied one by one, since one of them is poison.
  let singlyUntil = 0;
  let retryAt = 0;
  // Nothing is read anew before the log has grown: a signal that came since the last read was asked for is remembered.
  let isAtEnd = false;
  while (!until.aborted) {
    await beside.lookForRebuilds();
    await checkpoint.settle();
    const rest = retryAt - performance.now();
    if (rest > 0) {
      await waitFor(Math.min(POLL_MS, rest), until);
      continue;
    }
    if (isAtEnd) {
      isAtEnd = false;
      await deps.watch.grown(checkpoint.isSettled ? POLL_MS : SETTLE_MS, until);
      continue;
    }
    const { position } = checkpoint;
    const limit = position < singlyUntil ? 1 : BATCH;
    const window = await deps.tail.readAll(position, limit, { types });
    if (window.through === position) {
      isAtEnd = true;
      continue;
    }
    const failed = await applyWindow(deps, projector, connection, checkpoint, beside.afterCommit, window);
    if (failed === undefined) {
      isAtEnd = window.isLast;
      if (failureRecorded) await connection.query(sql.clearFailure, [projector.name]);
      failureRecorded = false;
      failures = 0;
      deps.metrics.stalled.set({ projector: projector.name }, 0);
    } else if (window.through > position + 1) {
      singlyUntil = window.through;
    } else {
      failures += 1;
      failureRecorded = true;
      deps.metrics.stalled.set({ projector: projector.name }, 1);
      const at = { projector: projector.name, position: window.through };
      deps.logger.error({ err: failed, ...at }, 'projector stalled: it cannot apply an event');
      await connection.query(sql.recordFailure, [projector.name, window.through, failed.message]);
      retryAt = performance.now() + Math.min(MAX_RETRY_MS, 250 * 2 ** failures);
    }
  }
}

/** How far a holder has come, and how much of that is stored. */
class Checkpoint {
  private settledAt = performance.now();
  private stored: number;

  /** @param position as it is stored */
  constructor(
    private readonly projector: string,
    private readonly connection: Queryable,
    public position: number,
  ) {
    this.stored = position;
  }

  get isSettled(): boolean {
    return this.stored === this.position;
  }

  /** Stores a position in the transaction under way, or alone. @throws where somebody else has moved the checkpoint */
  async move(to: number): Promise<void> {
    const { rowCount } = await this.connection.query(sql.moveCheckpoint, [this.projector, this.stored, to]);
    if (rowCount !== 1) throw this.lost();
  }

  /** What `move` stored is committed. */
  moved(to: number): void {
    this.position = to;
    this.stored = to;
    this.settledAt = performance.now();
  }

  /** Now and then: stores what was passed over, or, where that is nothing, makes sure that this is still the holder. */
  async settle(): Promise<void> {
    if (performance.now() < this.settledAt + SETTLE_MS) return;
    if (this.isSettled) {
      const { rowCount } = await this.connection.query(sql.confirmCheckpoint, [this.projector, this.stored]);
      if (rowCount !== 1) throw this.lost();
      this.settledAt = performance.now();
    } else {
      await this.move(this.position);
      this.moved(this.position);
    }
  }

  private lost(): Error {
    return new Error(`checkpoint of ${this.projector} is not at ${this.stored} any more`);
  }
}

/** @returns the error that kept the window from being applied; nothing of it was then */
async function applyWindow(
  deps: Deps,
  projector: Projector,
  connection: Queryable,
  checkpoint: Checkpoint,
  afterCommit: AfterCommit,
  { events, through }: LogWindow,
): Promise<Error | undefined> {
  const name = { projector: projector.name };
  if (events.length === 0) {
    checkpoint.position = through;
    deps.metrics.position.set(name, through);
    return undefined;
  }
  await connection.query('BEGIN');
  // First of all, since its row lock is what keeps a rebuild from swapping tables under this transaction.
  await checkpoint.move(through);
  let hint: (() => Promise<void>) | undefined;
  let trace: TracedEvents | undefined;
  try {
    trace = beginSpans(projector.name, events.map(deps.log.upcast));
    hint = await projector.apply(trace.events, connection);
  } catch (error) {
    // Rejects where the connection is lost: that is no fault of the event.
    trace?.end(error);
    await connection.query('ROLLBACK');
    return error instanceof Error ? error : new Error(String(error));
  }
  try {
    await connection.query('COMMIT');
  } catch (error) {
    trace.end(error);
    throw error;
  }
  trace.end();
  checkpoint.moved(through);
  deps.metrics.position.set(name, through);
  deps.metrics.applied.inc(name, events.length);
  if (hint) afterCommit.add(hint, events.length);
  return undefined;
}
