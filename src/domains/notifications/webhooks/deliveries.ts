import { z } from 'zod';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  LIST_START,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './deliveries.sql.js';

/** An event for a webhook, and what became of it. */
export type WebhookDelivery = RowOf<typeof statements.forward>;

const cursorShape = z.tuple([z.int().nonnegative().max(8.64e15), z.uuid()]);

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
  const cursor = decodeCursor(page.cursor, cursorShape);
  const from = cursor ? [new Date(cursor[0]), cursor[1]] : LIST_START[page.direction];
  const statement = pages[failedOnly ? 'failed' : 'all'][page.direction];
  const { rows } = await postgres.query(statement, [...from, page.limit + 1, webhookId]);
  return toConnection(page, rows, ({ createdAt, deliveryId }) =>
    encodeCursor(createdAt.getTime(), deliveryId),
  );
}
