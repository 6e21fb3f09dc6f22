import {
  type Connection,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './deliveries.sql.js';

/** An event for a webhook, and what became of it. */
export type WebhookDelivery = RowOf<typeof statements.forward>;

const cursors = instantCursorsOf('webhook-deliveries');

const pages = {
  all: { forward: statements.forward, backward: statements.backward },
  failed: { forward: statements.failedForward, backward: statements.failedBackward },
};

/** A webhook's deliveries, newest first. Whether the webhook may be seen is not checked. */
export async function pageWebhookDeliveries(
  postgres: Queryable,
  webhookId: string,
  { failedOnly, page }: { readonly failedOnly: boolean; readonly page: PageRequest },
): Promise<Connection<WebhookDelivery>> {
  const statement = pages[failedOnly ? 'failed' : 'all'][page.direction];
  const { rows } = await postgres.query(statement, [...cursors.placeOf(page), page.limit + 1, webhookId]);
  return toConnection(page, rows, ({ createdAt, deliveryId }) => cursors.write(createdAt, deliveryId));
}
