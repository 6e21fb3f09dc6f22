import { loadStatements, type Queryable } from '../../../platform/postgres.js';

const statements = loadStatements(new URL('./item.sql', import.meta.url), [
  'itemsById',
  'itemsAfter',
  'state',
]);

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
  /** What its delivery is still to be told: that it has arrived, or that it was read. */
  readonly owed: 'delivered' | 'opened' | null;
}

/** Where an inbox stands. */
export interface InboxState {
  /** The number of its last change. */
  readonly change: number;
  /** Neither read nor archived. */
  readonly unreadCount: number;
}

/** A user's items by their ids, in no order; others' are left out. */
export async function findItems(
  postgres: Queryable,
  userId: string,
  itemIds: readonly string[],
): Promise<readonly HandedItem[]> {
  return (await postgres.query<HandedItem>(statements.itemsById, [userId, itemIds])).rows.map(toItem);
}

/** The items that changed after a change, each as it is, in the order of their last changes. */
export async function findChanged(
  postgres: Queryable,
  userId: string,
  after: number,
  limit: number,
): Promise<readonly HandedItem[]> {
  return (await postgres.query<HandedItem>(statements.itemsAfter, [userId, after, limit])).rows.map(toItem);
}

export async function inboxState(postgres: Queryable, userId: string): Promise<InboxState> {
  return (await postgres.query<InboxState>(statements.state, [userId])).rows[0]!;
}

const toItem = (row: HandedItem): HandedItem => ({
  ...row,
  actionUrl: absolute(row.actionUrl),
  imageUrl: absolute(row.imageUrl),
});

const absolute = (url: string | null): string | null => (url !== null && URL.canParse(url) ? url : null);
