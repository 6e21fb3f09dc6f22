// Generated from sweep.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly requeueOverdue: Statement<{
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
  }>;
  readonly silent: Statement<{
    readonly deliveryId: string;
    readonly since: Date;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
  }>;
  readonly makeDays: Statement<{
    readonly ensure_delivery_event_partitions: number | null;
  }>;
  readonly makeMonths: Statement<{
    readonly made: number;
  }>;
}>(new URL('./sweep.sql', import.meta.url));
