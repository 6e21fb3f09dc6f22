import { bind } from '../../../platform/bind.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { DecideDeps } from '../intake/decide.js';
import { controlCampaign } from './control.js';
import { dryRunBatch } from './dry-run.js';
import { findCampaign, findCampaigns, pageOfCampaigns } from './find.js';
import { type SendBatchDeps, sendBatch } from './send-batch.js';

export {
  type Campaign,
  type CampaignAction,
  type CampaignStatus,
  campaignActions,
  campaignStatuses,
} from './campaign.js';
export type { BatchRequest } from './check-batch.js';
export type { BatchDryRun, BatchSample } from './dry-run.js';

/** Campaigns, for their producers and for admins. */
export const createCampaigns = (
  deps: SendBatchDeps &
    Omit<DecideDeps, 'limits'> & { readonly postgres: Postgres; readonly replicas: Queryable },
) => ({
  ...bind(deps, { send: sendBatch, dryRun: dryRunBatch, control: controlCampaign }),
  /** `byId`: a caller must check who may see them. */
  ...bind(deps.postgres, { find: findCampaign, byId: findCampaigns }),
  ...bind(deps.replicas, { page: pageOfCampaigns }),
});
