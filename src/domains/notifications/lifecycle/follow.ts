import { z } from 'zod';
import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import { PublicError } from '../../../platform/errors.js';
import { decodeCursor, encodeCursor } from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import { listenUntil } from '../../../platform/wake-ups/listen-until.js';
import type { WakeUpHub } from '../../../platform/wake-ups/wake-ups.js';
import { newestRequest, type RequestName, requestNamed } from './find.js';
import { sql as statements } from './follow.sql.js';
import { topicOf } from './topic.js';

/** One step of one delivery. */
export interface StatusUpdate extends Omit<RowOf<typeof statements.eventsAfter>, 'number'> {
  /** Goes on after this step. */
  readonly cursor: string;
}

const PAGE = 500;

/** A request, as far as somebody may see it. */
interface View {
  readonly requestId: string;
  /** Only this user's deliveries; null for all. */
  readonly recipient: string | null;
}

/**
 * Every lifecycle event of a request, from the first or from after a cursor on, in commit order, without gap or
 * repeat; then the coming ones as they happen, until `signal` aborts. The producer and admins see all; a recipient
 * sees what concerns their own deliveries.
 *
 * @throws PublicError NOT_FOUND or BAD_CURSOR
 */
export async function* followStatus(
  postgres: Queryable,
  hub: Pick<WakeUpHub, 'listen'>,
  caller: Caller,
  name: RequestName,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<StatusUpdate> {
  const view = await findView(postgres, caller, name);
  let last = readCursor(after, view.requestId);
  // Listening comes first, so that nothing is missed between reading and waiting.
  const listener = await listenUntil(hub, topicOf(view.requestId), signal);
  try {
    while (!signal.aborted) {
      const values = [view.requestId, last, view.recipient, PAGE];
      const { rows: events } = await postgres.query(statements.eventsAfter, values);
      for (const { number, ...event } of events) {
        last = number;
        yield { ...event, cursor: encodeCursor(view.requestId, number) };
      }
      if (events.length < PAGE && (await listener.next()) === null) return;
    }
  } finally {
    listener.close();
  }
}

/** A cursor of another request is none. */
function readCursor(cursor: string | null, requestId: string): number {
  const parts = decodeCursor(cursor, z.tuple([z.literal(requestId), z.int32().nonnegative()]));
  return parts?.[1] ?? 0;
}

/** The caller's own request first, then one that they received, then, for admins, anybody's. */
async function findView(postgres: Queryable, caller: Caller, name: RequestName): Promise<View> {
  const sent = await requestNamed(postgres, caller, name);
  if (sent !== null) return { requestId: sent, recipient: null };
  if (typeof name !== 'string' || !isStorable(name)) throw unknown();
  const own = caller.viewer.userId;
  if (isAdmin(caller)) {
    const any = await newestRequest(postgres, name, null);
    if (any !== null) return { requestId: any, recipient: null };
    throw unknown();
  }
  const { rows } = await postgres.query(statements.receivedRequest, [name, own]);
  if (rows[0]) return { requestId: rows[0].requestId, recipient: own };
  // Also where there is one: ids that follow from what they report would answer who likes and follows whom.
  throw unknown();
}

const unknown = (): PublicError => new PublicError('NOT_FOUND', 'There is no such notification');
