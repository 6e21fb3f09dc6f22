import { z } from 'zod';
import { type Caller, isAdmin, mayActFor } from '../../../platform/caller.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  LIST_START,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import { isUuid } from '../text.js';
import type { Webhook } from './webhook.js';
import { sql as statements } from './webhooks.sql.js';

const cursorShape = z.tuple([z.int().nonnegative().max(8.64e15), z.uuid()]);

const pages = {
  ofOwner: { forward: statements.ofOwnerForward, backward: statements.ofOwnerBackward },
  ofAll: { forward: statements.allForward, backward: statements.allBackward },
};

/** The caller's own, or for admins anybody's; null for what there is not, and for somebody else's. */
export async function findWebhook(
  postgres: Queryable,
  caller: Caller,
  webhookId: string,
): Promise<Webhook | null> {
  if (!isUuid(webhookId)) return null;
  const [webhook] = (await postgres.query(statements.byId, [webhookId])).rows;
  return webhook && mayActFor(caller, webhook.ownerId) ? webhook : null;
}

/** The caller's own, for admins everybody's, newest first. */
export async function pageWebhooks(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<Webhook>> {
  const cursor = decodeCursor(page.cursor, cursorShape);
  const from = cursor ? [new Date(cursor[0]), cursor[1]] : LIST_START[page.direction];
  const isOfAll = isAdmin(caller);
  const statement = pages[isOfAll ? 'ofAll' : 'ofOwner'][page.direction];
  const owner = isOfAll ? [] : [caller.viewer.userId];
  const { rows } = await postgres.query(statement, [...from, page.limit + 1, ...owner]);
  return toConnection(page, rows, ({ createdAt, webhookId }) => encodeCursor(createdAt.getTime(), webhookId));
}
