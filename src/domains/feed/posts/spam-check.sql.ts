// Generated from spam-check.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly countRepeats: Statement<{
    readonly repeats: number;
  }>;
  readonly countShares: Statement<{
    readonly repeats: number;
  }>;
}>(new URL('./spam-check.sql', import.meta.url));
