import { type Caller, mayActFor } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import { type Campaign, type CampaignAction, statusAfter } from './campaign.js';
import { sql as statements } from './campaigns.sql.js';
import { findCampaigns } from './find.js';

/**
 * Pauses, resumes or cancels a campaign of the caller's, also before it has begun; an admin anybody's. When this answers, no page is stored any more, or they
 * are stored again within a second; what a cancelled one has queued and not sent is withdrawn within another one. What is done
 * already changes nothing.
 *
 * Refused with NOT_FOUND, or with CAMPAIGN_OVER.
 *
 * @param campaignId null where there is none under the name that was given
 */
export async function controlCampaign(
  { postgres }: { readonly postgres: Postgres },
  caller: Caller,
  campaignId: string | null,
  action: CampaignAction,
): Promise<Result<Campaign>> {
  const [campaign] = campaignId === null ? [] : await findCampaigns(postgres, [campaignId]);
  if (!campaign || !mayActFor(caller, campaign.producer))
    return refused('NOT_FOUND', 'There is no such campaign', ['input', 'batchId']);
  const isOver = await postgres.transaction(async (tx) => {
    const { rows } = await tx.query(statements.lock, [campaign.campaignId]);
    const current = rows[0];
    const next = current ? statusAfter(action, current.status, current) : null;
    if (current && next !== null && next !== current.status)
      await tx.query(statements.setStatus, [campaign.campaignId, next]);
    return next === null;
  });
  if (isOver) return over(campaign);
  const [changed] = await findCampaigns(postgres, [campaign.campaignId]);
  return changed ? ok(changed) : over(campaign);
}

const over = ({ batchId }: Campaign): Result<never> =>
  refused('CAMPAIGN_OVER', `Campaign ${batchId} is over: nothing of it can be changed`, ['input', 'action']);
