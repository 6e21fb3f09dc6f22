// Generated from recount.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly recount: Statement<{
    readonly channel: import('../types.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly notificationType: string;
    readonly templateId: string;
    readonly event: import('../types.js').LifecycleEvent;
    readonly suspected: boolean;
    readonly bucket: number | null;
    readonly count: number;
  }>;
  readonly countEvents: Statement<{
    readonly events: number;
  }>;
  readonly hasEvents: Statement<{
    readonly hasEvents: boolean;
  }>;
}>(new URL('./recount.sql', import.meta.url));
