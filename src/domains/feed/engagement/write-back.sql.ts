// Generated from write-back.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly writeBack: Statement<{
    readonly found: number;
    readonly lastId: number;
    readonly taken: number;
  }>;
  readonly waiting: Statement<{
    readonly waiting: number;
  }>;
}>(new URL('./write-back.sql', import.meta.url));
