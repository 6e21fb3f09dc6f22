import { z } from 'zod';
import { PublicError } from '../errors.js';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../paging.js';
import type { Queryable, Statement } from '../postgres/postgres.js';
import { sql } from './browse.sql.js';
import { type EventReader, isArchived, isEvent, type PerhapsEventRow, toEvent } from './read.js';
import type { RecordedEvent } from './types.js';

const cursors = cursorsOf('events', z.tuple([z.int().nonnegative()]));

/** Which events; absent or null narrows nothing. */
export interface EventFilter {
  /** The first log position, in digits. */
  readonly fromPosition?: string | null;
  readonly streamId?: string | null;
  /** The correlation id: what followed from one request. */
  readonly correlationId?: string | null;
}

interface Deps {
  readonly postgres: Queryable;
  readonly log: Pick<EventReader, 'upcast' | 'readAll'>;
}

/** Positions of the log, both exclusive. */
interface Span {
  readonly after: number;
  readonly before: number;
}

/**
 * A page of the log in its order, of one stream, of one correlation id, or of both. Events come
 * in their newest schema version; one that its upcaster cannot read comes as it was stored.
 *
 * The log as a whole is read in the archive, too. Events of a correlation id are not looked for there, nor a page of a stream.
 *
 * @throws PublicError BAD_USER_INPUT for a malformed position, or where `fromPosition` has to be after what is archived; BAD_CURSOR
 */
export async function browseEvents(
  deps: Deps,
  filter: EventFilter,
  page: PageRequest,
): Promise<Connection<RecordedEvent>> {
  const from = readPosition(filter.fromPosition);
  const [cursor] = cursors.read(page.cursor) ?? [null];
  const forward = page.direction === 'forward';
  const span = {
    after: Math.max(from - 1, forward ? (cursor ?? -1) : -1),
    before: forward ? Number.MAX_SAFE_INTEGER : (cursor ?? Number.MAX_SAFE_INTEGER),
  };
  const found =
    filter.correlationId == null && filter.streamId == null
      ? await readLog(deps, span, page)
      : await readSome(deps, filter, span, page);
  const events = found.map((event) => upcastOrStored(deps.log, event));
  return toConnection(page, events, (event) => cursors.write(event.globalPosition));
}

/** One more than the page has. Positions have no gaps. */
async function readLog(
  { postgres, log }: Deps,
  { after, before }: Span,
  { direction, limit }: PageRequest,
): Promise<RecordedEvent[]> {
  const [low, high] = [Math.max(after, 0), Math.min(before, (await readBounds(postgres)).last + 1)];
  const start = direction === 'forward' ? low : Math.max(low, high - 2 - limit);
  const end = Math.min(start + limit + 1, high - 1);
  const events: RecordedEvent[] = [];
  for (let last = start; last < end; ) {
    const window = await log.readAll(last, end - last);
    events.push(...window.events);
    last = window.through;
  }
  return direction === 'forward' ? events : events.reverse();
}

async function readSome(
  { postgres }: Deps,
  filter: EventFilter,
  { after, before }: Span,
  { direction, limit }: PageRequest,
): Promise<RecordedEvent[]> {
  const [statement, which] = statementFor(filter, direction === 'forward');
  try {
    const { rows } = await postgres.query(statement, [...[after, before, limit + 1], ...which]);
    const first = rows[0]?.first ?? 1;
    if (first > 1 && after + 1 < first) throw archivedBefore(first);
    return rows.filter(isEvent).map(toEvent);
  } catch (error) {
    if (!isArchived(error)) throw error;
    throw archivedBefore((await readBounds(postgres)).first);
  }
}

const archivedBefore = (first: number): PublicError =>
  new PublicError(
    'BAD_USER_INPUT',
    `Events before position ${first} are archived, and found by position alone: set fromPosition to ${first} or more`,
    ['fromPosition'],
  );

const readBounds = async (postgres: Queryable): Promise<{ first: number; last: number }> =>
  (await postgres.query(sql.bounds)).rows[0]!;

function statementFor(
  { streamId, correlationId }: EventFilter,
  forward: boolean,
): [Statement<PerhapsEventRow & { readonly first?: number }>, (string | null)[]] {
  if (correlationId != null) {
    return [forward ? sql.correlationForward : sql.correlationBackward, [correlationId, streamId ?? null]];
  }
  return [forward ? sql.streamForward : sql.streamBackward, [streamId!]];
}

function readPosition(text: string | null | undefined): number {
  if (text == null) return 0;
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(position)) {
    throw new PublicError('BAD_USER_INPUT', 'fromPosition is a log position in digits', ['fromPosition']);
  }
  return position;
}

function upcastOrStored(log: Pick<EventReader, 'upcast'>, event: RecordedEvent): RecordedEvent {
  try {
    return log.upcast(event);
  } catch {
    return event;
  }
}
