// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly points: Statement<{
    readonly point: number;
    readonly sent: number;
    readonly delivered: number;
    readonly opened: number;
    readonly clicked: number;
    readonly dismissed: number;
    readonly unsubscribed: number;
    readonly failed: number;
    readonly expired: number;
    readonly suppressed: number;
    readonly suspectedBots: number;
    readonly latencyBuckets: number[] | null;
    readonly latencyCounts: number[] | null;
  }>;
  readonly pointsOfCampaign: Statement<{
    readonly point: number;
    readonly sent: number;
    readonly delivered: number;
    readonly opened: number;
    readonly clicked: number;
    readonly dismissed: number;
    readonly unsubscribed: number;
    readonly failed: number;
    readonly expired: number;
    readonly suppressed: number;
    readonly suspectedBots: number;
    readonly latencyBuckets: number[] | null;
    readonly latencyCounts: number[] | null;
  }>;
}>(new URL('./read.sql', import.meta.url));
