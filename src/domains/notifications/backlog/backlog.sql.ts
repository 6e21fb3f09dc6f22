// Generated from backlog.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly waiting: Statement<{
    readonly channel: import('../channels.js').Channel;
    readonly status: import('./share.js').WaitingStatus;
    readonly count: number;
    readonly dueAt: Date | null;
    readonly bound: Date;
    readonly deliveryIds: string[] | null;
  }>;
  readonly allWaiting: Statement<Record<never, never>>;
  readonly reasons: Statement<{
    readonly deliveryId: string;
    readonly channel: import('../channels.js').Channel;
    readonly lastError: string | null;
    readonly isFallback: boolean;
    readonly since: Date;
    readonly event: import('../types.js').LifecycleEvent | null;
    readonly detail: import('../types.js').Detail | null;
    readonly at: Date | null;
  }>;
  readonly forDigests: Statement<{
    readonly channel: import('../channels.js').Channel;
    readonly total: number;
    readonly count: number;
    readonly since: Date;
    readonly oldestId: string;
  }>;
  readonly allForDigests: Statement<Record<never, never>>;
  readonly dead: Statement<{
    readonly channel: import('../channels.js').Channel;
    readonly cause: string;
    readonly total: number;
    readonly count: number;
    readonly since: Date;
    readonly oldestId: string;
  }>;
  readonly allDead: Statement<Record<never, never>>;
}>(new URL('./backlog.sql', import.meta.url));
