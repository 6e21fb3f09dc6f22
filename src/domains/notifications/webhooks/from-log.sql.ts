// Generated from from-log.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly wantedTypes: Statement<{
    readonly type: string;
  }>;
  readonly queue: Statement<Record<never, never>>;
}>(new URL('./from-log.sql', import.meta.url));
