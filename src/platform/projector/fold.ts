import type { EventLog } from '../event-log/index.js';
import { loadStatements, type Queryable } from '../postgres.js';
import { type Projector, wantedTypes } from './projector.js';

const WINDOW = 5_000;
const sql = loadStatements(new URL('./rebuild-progress.sql', import.meta.url), ['noteProgress']);

/** A read model on its way through the log. */
export interface Build {
  readonly log: Pick<EventLog, 'readAll' | 'upcast'>;
  readonly projector: Projector;
  /** Where the projector's statements mean the new tables. */
  readonly session: Queryable;
  /** The last position in it. */
  position: number;
  onProgress(position: number): void;
}

/** Events that a projector could not apply. */
export class CannotApply extends Error {
  constructor(
    readonly first: number,
    readonly last: number,
    cause: unknown,
  ) {
    const events = first === last ? `event ${first}` : `events ${first} to ${last}`;
    super(`${events} cannot be applied: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'CannotApply';
  }
}

/**
 * Moves a build on to a position, one window a transaction.
 *
 * @throws CannotApply naming the one event; everything before it is applied then
 */
export async function foldTo(build: Build, to: number): Promise<void> {
  const { session, projector } = build;
  let size = WINDOW;
  while (build.position < to) {
    await session.query('BEGIN');
    let through: number;
    try {
      through = await applyNext(build, build.position, Math.min(size, to - build.position));
    } catch (error) {
      await session.query('ROLLBACK');
      if (!(error instanceof CannotApply) || error.first === error.last) throw error;
      size = Math.ceil((error.last - build.position) / 2);
      continue;
    }
    await session.query(sql.noteProgress, [projector.name, through]);
    await session.query('COMMIT');
    build.position = through;
    build.onProgress(through);
    size = Math.min(WINDOW, size * 2);
  }
}

/**
 * Applies the next positions in the transaction under way. What is to follow a commit is dropped.
 *
 * @returns the last of them
 * @throws CannotApply
 */
export async function applyNext(build: Build, after: number, count: number): Promise<number> {
  const { log, projector, session } = build;
  const types = wantedTypes(projector);
  const window = await log.readAll(after, count, { ...(types && { types }), on: session });
  try {
    if (window.events.length > 0) await projector.apply(window.events.map(log.upcast), session);
  } catch (error) {
    throw new CannotApply(after + 1, window.through, error);
  }
  return window.through;
}
