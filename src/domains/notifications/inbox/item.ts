import type { Queryable } from '../../../platform/postgres.js';
import { estimate } from '../../../platform/totals.js';
import { sql as statements } from './item.sql.js';

/** So many unread items are counted one by one: every look at an inbox counts them. */
export const UNREAD_COUNTED = 1_000;

/** One notification in a user's inbox. */
export interface InboxItem {
  /** The id of the delivery that brought it. */
  readonly itemId: string;
  readonly notificationType: string;
  readonly title: string | null;
  readonly body: string;
  /** Null too where the template's text is no absolute URL. */
  readonly actionUrl: string | null;
  readonly imageUrl: string | null;
  /** When it came to the inbox. */
  readonly createdAt: Date;
  readonly readAt: Date | null;
  readonly archivedAt: Date | null;
}

/** An item as it is read to be handed to its user. */
export interface HandedItem extends InboxItem {
  /** The number of the inbox's change that touched it last. */
  readonly change: number;
  /** What is still to be reported to its delivery: that it has arrived, or that it was read. */
  readonly owed: 'delivered' | 'opened' | null;
}

/** How many items of an inbox are neither read nor archived. */
export interface Unread {
  readonly unreadCount: number;
  /** Whether there are more than `UNREAD_COUNTED`, and `unreadCount` is the planner's estimate. */
  readonly unreadCountIsEstimate: boolean;
}

/** Where an inbox stands. */
export interface InboxState extends Unread {
  /** The number of its last change. */
  readonly change: number;
}

/** A user's items by their ids, in no order; others' are left out. */
export async function findItems(
  postgres: Queryable,
  userId: string,
  itemIds: readonly string[],
): Promise<readonly HandedItem[]> {
  return (await postgres.query(statements.itemsById, [userId, itemIds])).rows.map(toItem);
}

/** The items that changed after a change, each as it is, in the order of their last changes. */
export async function findChanged(
  postgres: Queryable,
  userId: string,
  after: number,
  limit: number,
): Promise<readonly HandedItem[]> {
  return (await postgres.query(statements.itemsAfter, [userId, after, limit])).rows.map(toItem);
}

export async function inboxState(postgres: Queryable, userId: string): Promise<InboxState> {
  const { rows } = await postgres.query(statements.state, [userId, UNREAD_COUNTED + 1]);
  const { change, unread } = rows[0]!;
  if (unread <= UNREAD_COUNTED) return { change, unreadCount: unread, unreadCountIsEstimate: false };
  const { count } = await estimate(postgres, statements.unread, [userId], unread);
  return { change, unreadCount: count, unreadCountIsEstimate: true };
}

const toItem = (row: HandedItem): HandedItem => ({
  ...row,
  actionUrl: absolute(row.actionUrl),
  imageUrl: absolute(row.imageUrl),
});

const absolute = (url: string | null): string | null => (url !== null && URL.canParse(url) ? url : null);
