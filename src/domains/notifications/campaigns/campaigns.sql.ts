// Generated from campaigns.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly byIds: Statement<{
    readonly campaignId: string;
    readonly batchId: string;
    readonly producer: string;
    readonly templateId: string;
    readonly notificationType: string;
    readonly priority: import('../types.js').Priority;
    readonly filter: string;
    readonly variables: import('../templates/render.js').Variables;
    readonly status: import('./campaign.js').CampaignStatus;
    readonly failure: string | null;
    readonly matched: number;
    readonly queued: number;
    readonly suppressed: number;
    readonly ratePerSecond: number;
    readonly rateRaised: boolean;
    readonly estimatedCount: number | null;
    readonly maxPerSecond: number | null;
    readonly windowHours: number | null;
    readonly createdAt: Date;
    readonly startedAt: Date | null;
    readonly completedAt: Date | null;
  }>;
  readonly named: Statement<{
    readonly campaignId: string;
    readonly bodyHash: Buffer;
  }>;
  readonly lockProducer: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly insert: Statement<{
    readonly campaignId: string;
  }>;
  readonly countOpen: Statement<{
    readonly open: number;
  }>;
  readonly lock: Statement<{
    readonly status: import('./campaign.js').CampaignStatus;
    readonly hasStarted: boolean;
  }>;
  readonly setStatus: Statement<Record<never, never>>;
  readonly ofAllForward: Statement<{
    readonly campaignId: string;
    readonly batchId: string;
    readonly producer: string;
    readonly templateId: string;
    readonly notificationType: string;
    readonly priority: import('../types.js').Priority;
    readonly filter: string;
    readonly variables: import('../templates/render.js').Variables;
    readonly status: import('./campaign.js').CampaignStatus;
    readonly failure: string | null;
    readonly matched: number;
    readonly queued: number;
    readonly suppressed: number;
    readonly ratePerSecond: number;
    readonly rateRaised: boolean;
    readonly estimatedCount: number | null;
    readonly maxPerSecond: number | null;
    readonly windowHours: number | null;
    readonly createdAt: Date;
    readonly startedAt: Date | null;
    readonly completedAt: Date | null;
  }>;
  readonly ofAllBackward: Statement<{
    readonly campaignId: string;
    readonly batchId: string;
    readonly producer: string;
    readonly templateId: string;
    readonly notificationType: string;
    readonly priority: import('../types.js').Priority;
    readonly filter: string;
    readonly variables: import('../templates/render.js').Variables;
    readonly status: import('./campaign.js').CampaignStatus;
    readonly failure: string | null;
    readonly matched: number;
    readonly queued: number;
    readonly suppressed: number;
    readonly ratePerSecond: number;
    readonly rateRaised: boolean;
    readonly estimatedCount: number | null;
    readonly maxPerSecond: number | null;
    readonly windowHours: number | null;
    readonly createdAt: Date;
    readonly startedAt: Date | null;
    readonly completedAt: Date | null;
  }>;
  readonly ofProducerForward: Statement<{
    readonly campaignId: string;
    readonly batchId: string;
    readonly producer: string;
    readonly templateId: string;
    readonly notificationType: string;
    readonly priority: import('../types.js').Priority;
    readonly filter: string;
    readonly variables: import('../templates/render.js').Variables;
    readonly status: import('./campaign.js').CampaignStatus;
    readonly failure: string | null;
    readonly matched: number;
    readonly queued: number;
    readonly suppressed: number;
    readonly ratePerSecond: number;
    readonly rateRaised: boolean;
    readonly estimatedCount: number | null;
    readonly maxPerSecond: number | null;
    readonly windowHours: number | null;
    readonly createdAt: Date;
    readonly startedAt: Date | null;
    readonly completedAt: Date | null;
  }>;
  readonly ofProducerBackward: Statement<{
    readonly campaignId: string;
    readonly batchId: string;
    readonly producer: string;
    readonly templateId: string;
    readonly notificationType: string;
    readonly priority: import('../types.js').Priority;
    readonly filter: string;
    readonly variables: import('../templates/render.js').Variables;
    readonly status: import('./campaign.js').CampaignStatus;
    readonly failure: string | null;
    readonly matched: number;
    readonly queued: number;
    readonly suppressed: number;
    readonly ratePerSecond: number;
    readonly rateRaised: boolean;
    readonly estimatedCount: number | null;
    readonly maxPerSecond: number | null;
    readonly windowHours: number | null;
    readonly createdAt: Date;
    readonly startedAt: Date | null;
    readonly completedAt: Date | null;
  }>;
}>(new URL('./campaigns.sql', import.meta.url));
