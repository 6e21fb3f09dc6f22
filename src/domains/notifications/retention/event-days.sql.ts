// Generated from event-days.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly nextDay: Statement<{
    readonly day: string;
    readonly isAttached: boolean;
  }>;
  readonly findKept: Statement<{
    readonly lastAt: Date | null;
    readonly lastId: string | null;
    readonly isLast: boolean;
    readonly kept: string[];
    readonly events: number;
  }>;
  readonly detach: Statement<{
    readonly done: boolean;
  }>;
  readonly drop: Statement<{
    readonly done: boolean;
  }>;
}>(new URL('./event-days.sql', import.meta.url));
