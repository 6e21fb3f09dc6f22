import {
  type Connection,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import { changeCursor } from './follow.js';
import { findItems, type HandingDeps, type InboxItem, inboxState, type Unread } from './item.js';
import { sql as statements } from './page.sql.js';

/** ALL is what lies in the inbox: an archived item has left it, and is neither in ALL nor in UNREAD. */
export const inboxFilters = ['ALL', 'UNREAD', 'ARCHIVED'] as const;
export type InboxFilter = (typeof inboxFilters)[number];

export interface InboxPage extends Connection<InboxItem>, Unread {
  /** Follows the inbox from this page on; see `followInbox`. */
  readonly updatesAfter: string;
}

const pages = {
  ALL: { forward: statements.allForward, backward: statements.allBackward },
  UNREAD: { forward: statements.unreadForward, backward: statements.unreadBackward },
  ARCHIVED: { forward: statements.archivedForward, backward: statements.archivedBackward },
};

const cursors = instantCursorsOf('inbox');

/**
 * A user's items, newest first.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageOfInbox(
  { postgres, handed }: HandingDeps,
  userId: string,
  page: PageRequest,
  filter: InboxFilter,
): Promise<InboxPage> {
  const place = cursors.placeOf(page);
  // First, so that a client that goes on from here may get something twice, but misses nothing.
  const { change, unread } = await inboxState(postgres, userId);
  const { rows } = await postgres.query(pages[filter][page.direction], [userId, ...place, page.limit + 1]);
  const ids = rows.map((row) => row.itemId);
  const found = new Map((await findItems(postgres, userId, ids)).map((item) => [item.itemId, item]));
  const items = ids.flatMap((id) => found.get(id) ?? []);
  handed(items.slice(0, page.limit));
  const connection = toConnection<InboxItem>(page, items, (item) =>
    cursors.write(item.createdAt, item.itemId),
  );
  return { ...connection, ...unread, updatesAfter: changeCursor(userId, change) };
}
