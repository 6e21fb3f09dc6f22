// Generated from campaign-rollups.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly campaignsOf: Statement<{
    readonly requestId: string;
    readonly campaignId: string;
  }>;
  readonly clear: Statement<Record<never, never>>;
  readonly recount: Statement<{
    readonly campaignId: string;
    readonly channel: import('../types.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly notificationType: string;
    readonly templateId: string;
    readonly event: import('../types.js').LifecycleEvent;
    readonly suspected: boolean;
    readonly bucket: number | null;
    readonly count: number;
  }>;
}>(new URL('./campaign-rollups.sql', import.meta.url));
