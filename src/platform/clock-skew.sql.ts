// Generated from clock-skew.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from './postgres/postgres.js';

export const sql = loadStatements<{
  readonly readTime: Statement<{
    readonly now: number;
  }>;
}>(new URL('./clock-skew.sql', import.meta.url));
