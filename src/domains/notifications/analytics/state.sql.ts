// Generated from state.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly state: Statement<{
    readonly streamPosition: string;
    readonly closedUntil: Date;
    readonly settledUntil: Date;
    readonly daysUntil: Date;
  }>;
  readonly moveOn: Statement<{
    readonly closedUntil: Date;
  }>;
  readonly close: Statement<{
    readonly closedUntil: Date;
  }>;
  readonly reopen: Statement<Record<never, never>>;
  readonly settle: Statement<{
    readonly closedUntil: Date;
  }>;
  readonly addUpDay: Statement<{
    readonly days_until: Date;
  }>;
}>(new URL('./state.sql', import.meta.url));
