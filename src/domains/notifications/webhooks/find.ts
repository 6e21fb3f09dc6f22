import { type Caller, isAdmin, mayActFor } from '../../../platform/auth/caller.js';
import {
  type Connection,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isUuid } from '../text.js';
import type { Webhook } from './webhook.js';
import { sql as statements } from './webhooks.sql.js';

const cursors = instantCursorsOf('webhooks');

const pages = {
  ofOwner: { forward: statements.ofOwnerForward, backward: statements.ofOwnerBackward },
  ofAll: { forward: statements.allForward, backward: statements.allBackward },
};

/**
 * The caller's own, or for admins anybody's; null for what there is not, and for somebody else's. One that follows the log, or has
 * followed it, is there for admins alone, even if it is the caller's own: who changes its URL gets what is sent to it.
 */
export const findWebhook = (
  postgres: Queryable,
  caller: Caller,
  webhookId: string,
): Promise<Webhook | null> => find(postgres, caller, webhookId, isAdmin(caller));

/** The same, and whatever else is the caller's own: they may always end it. */
export const findWebhookToDelete = (
  postgres: Queryable,
  caller: Caller,
  webhookId: string,
): Promise<Webhook | null> => find(postgres, caller, webhookId, true);

async function find(
  postgres: Queryable,
  caller: Caller,
  webhookId: string,
  alsoOfLog: boolean,
): Promise<Webhook | null> {
  if (!isUuid(webhookId)) return null;
  const [webhook] = (await postgres.query(statements.byId, [webhookId, alsoOfLog])).rows;
  return webhook && mayActFor(caller, webhook.ownerId) ? webhook : null;
}

/** The caller's own that do not follow the log, for admins everybody's, newest first. */
export async function pageWebhooks(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<Webhook>> {
  const isOfAll = isAdmin(caller);
  const statement = pages[isOfAll ? 'ofAll' : 'ofOwner'][page.direction];
  const owner = isOfAll ? [] : [caller.viewer.userId];
  const { rows } = await postgres.query(statement, [...cursors.placeOf(page), page.limit + 1, ...owner]);
  return toConnection(page, rows, ({ createdAt, webhookId }) => cursors.write(createdAt, webhookId));
}
