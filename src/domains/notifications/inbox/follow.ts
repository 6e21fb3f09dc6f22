import { PublicError } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { WakeUpHub } from '../../../platform/wake-ups.js';
import { changeCursor, readChangeCursor } from './cursor.js';
import { findChanged, type HandedItem, type InboxItem, inboxState, type Unread } from './item.js';
import { inboxTopic } from './topic.js';

/** An item that came or was marked. */
export interface InboxUpdate extends Unread {
  /** Goes on after this update. */
  readonly cursor: string;
  /** As it is now. Null where many changed at once: the client reads its inbox anew. */
  readonly item: InboxItem | null;
}

export interface FollowInboxDeps {
  readonly postgres: Queryable;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  /** Called with what is handed out. */
  readonly onHanded: (items: readonly HandedItem[]) => void;
}

/** More changes at once than this are reported as one. */
const MAX_REPORTED = 20;

/**
 * Every change of a user's inbox after a cursor, or from now on, in order, until `signal` aborts. An item that changed
 * several times since is reported once, as it is.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function* followInbox(
  deps: FollowInboxDeps,
  userId: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<InboxUpdate, void> {
  const asked = readChangeCursor(after, userId);
  // Listening comes first, so that nothing is missed between reading and waiting.
  const listener = await deps.hub.listen(inboxTopic(userId));
  const close = (): void => listener.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const state = await inboxState(deps.postgres, userId);
    if (asked !== null && asked > state.change)
      throw new PublicError('BAD_CURSOR', 'This cursor is of no inbox');
    let last = asked ?? state.change;
    while (!signal.aborted) {
      const { items, unread, end } = await readChanges(deps.postgres, userId, last);
      if (items === null) {
        last = end;
        yield { cursor: changeCursor(userId, last), item: null, ...unread };
        continue;
      }
      deps.onHanded(items);
      for (const item of items) {
        last = item.change;
        yield { cursor: changeCursor(userId, last), item, ...unread };
      }
      if ((await listener.next()) === null) return;
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

interface Changes {
  /** In order; null where there are too many. */
  readonly items: readonly HandedItem[] | null;
  readonly unread: Unread;
  /** All changes up to this one were there to be read. */
  readonly end: number;
}

async function readChanges(postgres: Queryable, userId: string, after: number): Promise<Changes> {
  const items = await findChanged(postgres, userId, after, MAX_REPORTED + 1);
  if (items.length === 0)
    return { items, unread: { unreadCount: 0, unreadCountIsEstimate: false }, end: after };
  const { change, unreadCount, unreadCountIsEstimate } = await inboxState(postgres, userId);
  const unread = { unreadCount, unreadCountIsEstimate };
  return { items: items.length > MAX_REPORTED ? null : items, unread, end: change };
}
