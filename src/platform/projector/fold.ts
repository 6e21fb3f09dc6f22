import type { EventLog, LogWindow } from '../event-log/index.js';
import type { Queryable } from '../postgres/postgres.js';
import { type Projector, wantedTypes } from './projector.js';
import { sql } from './rebuild-progress.sql.js';

const WINDOW = 5_000;

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
 * Moves a build on to a position, one window a transaction; the next window is read meanwhile, on a connection of the
 * log's. What has been committed at a position stays the same, so it does not matter when it is read.
 *
 * @param to up to here the log is committed
 * @throws CannotApply naming the one event; everything before it is applied then
 */
export async function foldTo(build: Build, to: number): Promise<void> {
  const { session, projector } = build;
  let size = WINDOW;
  let next: Promise<LogWindow> | undefined;
  while (build.position < to) {
    const window = await (next ?? readWindow(build, build.position, Math.min(size, to - build.position)));
    size = Math.min(WINDOW, size * 2);
    next = readAhead(build, window.through, Math.min(size, to - window.through));
    await session.query('BEGIN');
    try {
      await applyWindow(build, build.position, window);
    } catch (error) {
      await session.query('ROLLBACK');
      if (!(error instanceof CannotApply) || error.first === error.last) throw error;
      size = Math.ceil((error.last - build.position) / 2);
      next = undefined;
      continue;
    }
    await session.query(sql.noteProgress, [projector.name, window.through]);
    await session.query('COMMIT');
    build.position = window.through;
    build.onProgress(window.through);
  }
}

/**
 * Applies the next positions in the transaction under way. What is to follow a commit is dropped.
 *
 * @returns the last of them
 * @throws CannotApply
 */
export async function applyNext(build: Build, after: number, count: number): Promise<number> {
  const window = await readWindow(build, after, count, build.session);
  await applyWindow(build, after, window);
  return window.through;
}

function readAhead(build: Build, after: number, count: number): Promise<LogWindow> | undefined {
  if (count === 0) return undefined;
  const reading = readWindow(build, after, count);
  // Its failure is met where it is awaited; where the window before cannot be applied, nobody does.
  reading.catch(() => undefined);
  return reading;
}

const readWindow = (
  { log, projector }: Build,
  after: number,
  count: number,
  on?: Queryable,
): Promise<LogWindow> => log.readAll(after, count, { types: wantedTypes(projector), on });

async function applyWindow(
  { log, projector, session }: Build,
  after: number,
  window: LogWindow,
): Promise<void> {
  try {
    if (window.events.length > 0) await projector.apply(window.events.map(log.upcast), session);
  } catch (error) {
    throw new CannotApply(after + 1, window.through, error);
  }
}
