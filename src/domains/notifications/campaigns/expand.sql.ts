// Generated from expand.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly open: Statement<{
    readonly campaignId: string;
    readonly isWithdrawal: boolean;
  }>;
  readonly start: Statement<Record<never, never>>;
  readonly place: Statement<{
    readonly campaignId: string;
    readonly producer: string;
    readonly templateId: string;
    readonly type: string;
    readonly priority: import('../types.js').Priority;
    readonly filter: string;
    readonly variables: import('../templates/render.js').Variables;
    readonly ratePerSecond: number;
    readonly startedAt: Date;
    readonly correlationId: string;
    readonly page: number | null;
    readonly after: string | null;
    readonly sentAt: Date | null;
  }>;
  readonly storePage: Statement<{
    readonly stored: boolean;
  }>;
  readonly finish: Statement<Record<never, never>>;
  readonly fail: Statement<Record<never, never>>;
  readonly waiting: Statement<{
    readonly queued: number;
    readonly waiting: number;
  }>;
  readonly toWithdraw: Statement<{
    readonly page: number;
    readonly requestId: string | null;
  }>;
  readonly withdrawnFrom: Statement<Record<never, never>>;
}>(new URL('./expand.sql', import.meta.url));
