import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './campaign-rollups.sql.js';
import { BUCKET_BOUNDS_MS } from './latencies.js';
import { counterOf, type Occurrence, type Rollup, rollUp } from './rollup.js';
import { MINUTE_MS, toRow } from './rollups.js';
import { sql as sums } from './rollups.sql.js';

/** What was counted of each campaign, by the minute and channel: all else of a rollup's key is the same for all of a campaign. */
export type CampaignRollups = ReadonlyMap<string, readonly Rollup[]>;

/** The campaigns that requests are pages of, by request; most requests are of none. */
export async function campaignsOf(
  postgres: Queryable,
  steps: readonly { readonly requestId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const requestIds = [...new Set(steps.map(({ requestId }) => requestId))];
  const { rows } = await postgres.query(statements.campaignsOf, [requestIds]);
  return new Map(rows.map(({ requestId, campaignId }) => [requestId, campaignId]));
}

/** Adds up what happened, by campaign; what is of none is left out. */
export function rollUpCampaigns<Happened>(
  all: readonly Happened[],
  campaignOf: (one: Happened) => string | undefined,
  occurrencesOf: (one: Happened) => readonly Occurrence[],
): CampaignRollups {
  const byCampaign = Map.groupBy(all, campaignOf);
  byCampaign.delete(undefined);
  return new Map(
    [...byCampaign].map(([campaignId, its]) => [campaignId!, rollUp(its.flatMap(occurrencesOf))]),
  );
}

/** Adds to minutes. The caller holds the state's row. */
export async function addCampaignRollups(tx: Queryable, campaigns: CampaignRollups): Promise<void> {
  const rows = [...campaigns].flatMap(([campaign_id, rollups]) =>
    rollups.map((rollup) => ({ campaign_id, ...toRow(rollup, MINUTE_MS / 1_000) })),
  );
  if (rows.length > 0) await tx.query(sums.addOfCampaigns, [JSON.stringify(rows)]);
}

/** Replaces the minutes that begin in [from, until), of all campaigns. The caller holds the state's row. */
export async function replaceCampaignRollups(
  tx: Queryable,
  from: number,
  until: number,
  campaigns: CampaignRollups,
): Promise<void> {
  await tx.query(statements.clear, [new Date(from), new Date(until)]);
  await addCampaignRollups(tx, campaigns);
}

/** What happened in a minute, from delivery_events. */
export async function recountCampaigns(postgres: Queryable, minute: number): Promise<CampaignRollups> {
  const values = [new Date(minute), new Date(minute + MINUTE_MS), BUCKET_BOUNDS_MS];
  const { rows } = await postgres.query(statements.recount, values);
  return rollUpCampaigns(
    rows,
    ({ campaignId }) => campaignId,
    ({ campaignId: _, event, suspected, ...row }) => [
      { ...row, startsAt: minute, counter: counterOf(event, suspected) },
    ],
  );
}
