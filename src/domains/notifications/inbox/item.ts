import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { estimate } from '../../../platform/totals.js';
import { isUuid } from '../text.js';
import { sql as statements } from './item.sql.js';

/** So many unread items are counted one by one: every look at an inbox counts them. */
const UNREAD_COUNTED = 1_000;

/**
 * An item as it is read to be handed to its user: with the number of the inbox's `change` that touched it last, and what is still
 * `owed` to its delivery: a report that it has arrived, or that it was read.
 */
export type HandedItem = RowOf<typeof statements.itemsById>;

/**
 * One notification in a user's inbox, to which it came at `createdAt`. Its id is that of the delivery that brought it; of a group, of
 * the first, and it came when the newest did, and it is about `actorCount` people. Its URLs are null too where the template's text is no
 * absolute URL.
 */
export type InboxItem = Omit<HandedItem, 'change' | 'owed' | 'deliveryId'>;

/** How many items of an inbox are neither read nor archived. */
export interface Unread {
  readonly unreadCount: number;
  /** Whether there are more than `UNREAD_COUNTED`, and `unreadCount` is the planner's estimate. */
  readonly unreadCountIsEstimate: boolean;
}

/** What hands items to their user. */
export interface HandingDeps {
  readonly postgres: Queryable;
  /** Called with what is handed out. */
  readonly handed: (items: readonly HandedItem[]) => void;
}

/** A user's items by their ids, in no order; others' are left out. */
export async function findItems(
  postgres: Queryable,
  userId: string,
  itemIds: readonly string[],
): Promise<readonly HandedItem[]> {
  return (await postgres.query(statements.itemsById, [userId, itemIds])).rows.map(toItem);
}

/** The user's own of these, in no order. */
export async function itemsOf(
  { postgres, handed }: HandingDeps,
  userId: string,
  itemIds: readonly string[],
): Promise<readonly InboxItem[]> {
  const items = await findItems(postgres, userId, itemIds.filter(isUuid));
  handed(items);
  return items;
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

/** The user's own that changed after a change of that number, `limit` at most, in the order of their last changes. */
export async function changedSince(
  { postgres, handed }: HandingDeps,
  userId: string,
  since: number,
  limit: number,
): Promise<readonly InboxItem[]> {
  const items = await findChanged(postgres, userId, since, limit);
  handed(items);
  return items;
}

/** Where an inbox stands: the number of its last change, and what is unread. */
export async function inboxState(
  postgres: Queryable,
  userId: string,
): Promise<{ readonly change: number; readonly unread: Unread }> {
  const { rows } = await postgres.query(statements.state, [userId, UNREAD_COUNTED + 1]);
  const { change, unread } = rows[0]!;
  if (unread <= UNREAD_COUNTED) {
    return { change, unread: { unreadCount: unread, unreadCountIsEstimate: false } };
  }
  const { count } = await estimate(postgres, statements.unread, [userId], unread);
  return { change, unread: { unreadCount: count, unreadCountIsEstimate: true } };
}

/** How many items are neither read nor archived. */
export const unreadOf = async (
  { postgres }: { readonly postgres: Queryable },
  userId: string,
): Promise<Unread> => (await inboxState(postgres, userId)).unread;

const toItem = (row: HandedItem): HandedItem => ({
  ...row,
  actionUrl: absolute(row.actionUrl),
  imageUrl: absolute(row.imageUrl),
});

const absolute = (url: string | null): string | null => (url !== null && URL.canParse(url) ? url : null);
