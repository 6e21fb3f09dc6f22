import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import {
  type Connection,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import type { Campaign } from './campaign.js';
import { sql as statements } from './campaigns.sql.js';

/** Campaigns by their ids; a caller must check who may see them. */
export async function findCampaigns(
  postgres: Queryable,
  campaignIds: readonly string[],
): Promise<readonly Campaign[]> {
  return (await postgres.query(statements.byIds, [campaignIds])).rows;
}

/** The campaign of a batch id: the caller's own; where they have none and are an admin, the newest of anybody's. Null: none. */
export async function findCampaign(
  postgres: Queryable,
  caller: Caller,
  batchId: string,
): Promise<Campaign | null> {
  const named = await findNamed(postgres, batchId, caller.viewer.userId, isAdmin(caller));
  if (!named) return null;
  const [found] = await findCampaigns(postgres, [named.campaignId]);
  return found ?? null;
}

/** @param ofAnybody where the producer has none */
export async function findNamed(
  postgres: Queryable,
  batchId: string,
  producer: string,
  ofAnybody: boolean,
): Promise<RowOf<typeof statements.named> | null> {
  if (!isStorable(batchId)) return null;
  const { rows } = await postgres.query(statements.named, [batchId, producer, ofAnybody]);
  return rows[0] ?? null;
}

const cursors = instantCursorsOf('campaigns');

const pages = {
  ofAll: { forward: statements.ofAllForward, backward: statements.ofAllBackward },
  ofProducer: { forward: statements.ofProducerForward, backward: statements.ofProducerBackward },
};

/** A producer's own campaigns, newest first; for admins all of them. */
export async function pageOfCampaigns(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<Campaign>> {
  const producer = isAdmin(caller) ? [] : [caller.viewer.userId];
  const statement = pages[isAdmin(caller) ? 'ofAll' : 'ofProducer'][page.direction];
  const { rows } = await postgres.query(statement, [...cursors.placeOf(page), page.limit + 1, ...producer]);
  return toConnection(page, rows, ({ createdAt, campaignId }) => cursors.write(createdAt, campaignId));
}
