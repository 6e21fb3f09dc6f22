import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { loadStatements, type Postgres } from '../../../platform/postgres.js';
import { isUuid } from '../text.js';
import { inboxState } from './item.js';

const statements = loadStatements(new URL('./mark.sql', import.meta.url), ['lockInbox', 'mark']);

export const inboxActions = ['READ', 'UNREAD', 'ARCHIVE', 'UNARCHIVE'] as const;
export type InboxAction = (typeof inboxActions)[number];

export interface Marked {
  /** How many items are other than before. */
  readonly changed: number;
  readonly unreadCount: number;
  /** The numbers of these changes: above `from`, up to `to`. */
  readonly from: number;
  readonly to: number;
}

const MAX_ITEMS = 1_000;

/**
 * Marks a user's items. One that the action does not apply to, is unknown or another user's stays as it is. Being read
 * and being archived are two things: neither action changes the other.
 *
 * Refused with TOO_MANY_INBOX_ITEMS.
 *
 * @param itemIds null for every item that the action applies to, archived or not
 */
export async function markInbox(
  deps: { readonly postgres: Postgres; readonly clock: Clock },
  userId: string,
  action: InboxAction,
  itemIds: readonly string[] | null,
): Promise<Result<Marked>> {
  if (itemIds !== null && itemIds.length > MAX_ITEMS) {
    return refused('TOO_MANY_INBOX_ITEMS', `At most ${MAX_ITEMS} items at once`, ['input', 'itemIds']);
  }
  return ok(
    await deps.postgres.transaction(async (tx) => {
      const inbox = (await tx.query<{ change: number }>(statements.lockInbox, [userId])).rows[0];
      if (!inbox) return { changed: 0, unreadCount: 0, from: 0, to: 0 };
      const ids = itemIds?.filter(isUuid) ?? null;
      const now = new Date(deps.clock.now());
      const { rows } = await tx.query<{ changed: number }>(statements.mark, [userId, action, ids, now]);
      const { change, unreadCount } = await inboxState(tx, userId);
      return { changed: rows[0]!.changed, unreadCount, from: inbox.change, to: change };
    }),
  );
}
