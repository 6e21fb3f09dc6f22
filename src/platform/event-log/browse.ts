import { z } from 'zod';
import { PublicError } from '../errors.js';
import { type Connection, decodeCursor, encodeCursor, type PageRequest, toConnection } from '../paging.js';
import { loadStatements, type Queryable, type Statement } from '../postgres.js';
import { type EventReader, type EventRow, toEvent } from './read.js';
import type { RecordedEvent } from './types.js';

const sql = loadStatements(new URL('./browse.sql', import.meta.url), [
  'logForward',
  'logBackward',
  'streamForward',
  'streamBackward',
  'storyForward',
  'storyBackward',
]);
const cursorShape = z.tuple([z.int().nonnegative()]);

/** Which events; absent or null narrows nothing. */
export interface EventFilter {
  /** The first log position, in digits. */
  readonly fromPosition?: string | null;
  readonly streamId?: string | null;
  /** The story: what followed from one request. */
  readonly correlationId?: string | null;
}

/**
 * A page of the log in its order, of one stream, of one story, or of what one story did to one stream. Events come
 * in their newest schema version; one that its upcaster cannot read comes as it was stored.
 *
 * @throws PublicError BAD_USER_INPUT for a malformed position, BAD_CURSOR
 */
export async function browseEvents(
  deps: { readonly postgres: Queryable; readonly log: Pick<EventReader, 'upcast'> },
  filter: EventFilter,
  page: PageRequest,
): Promise<Connection<RecordedEvent>> {
  const from = readPosition(filter.fromPosition);
  const [cursor] = decodeCursor(page.cursor, cursorShape) ?? [null];
  const forward = page.direction === 'forward';
  const after = Math.max(from - 1, forward ? (cursor ?? -1) : -1);
  const before = forward ? Number.MAX_SAFE_INTEGER : (cursor ?? Number.MAX_SAFE_INTEGER);
  const [statement, which] = statementFor(filter, forward);
  const { rows } = await deps.postgres.query<EventRow>(statement, [after, before, page.limit + 1, ...which]);
  const events = rows.map((row) => upcastOrStored(deps.log, toEvent(row)));
  return toConnection(page, events, (event) => encodeCursor(event.globalPosition));
}

function statementFor(
  { streamId, correlationId }: EventFilter,
  forward: boolean,
): [Statement, (string | null)[]] {
  if (correlationId != null) {
    return [forward ? sql.storyForward : sql.storyBackward, [correlationId, streamId ?? null]];
  }
  if (streamId != null) return [forward ? sql.streamForward : sql.streamBackward, [streamId]];
  return [forward ? sql.logForward : sql.logBackward, []];
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
