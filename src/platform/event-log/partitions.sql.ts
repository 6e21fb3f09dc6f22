// Generated from partitions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly ensurePartitions: Statement<{
    readonly made: number;
  }>;
  readonly sealPartition: Statement<{
    readonly more: boolean;
  }>;
}>(new URL('./partitions.sql', import.meta.url));
