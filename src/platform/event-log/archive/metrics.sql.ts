// Generated from metrics.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../postgres/postgres.js';

export const sql = loadStatements<{
  readonly readArchive: Statement<{
    readonly partitions: number;
    readonly bytes: number;
    readonly lastPosition: number;
  }>;
}>(new URL('./metrics.sql', import.meta.url));
