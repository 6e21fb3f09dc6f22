// Generated from schedules.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly register: Statement<Record<never, never>>;
  readonly take: Statement<{
    readonly name: string;
  }>;
  readonly renew: Statement<{
    readonly name: string;
  }>;
  readonly finish: Statement<Record<never, never>>;
  readonly overdue: Statement<{
    readonly name: string;
    readonly seconds: number;
  }>;
}>(new URL('./schedules.sql', import.meta.url));
