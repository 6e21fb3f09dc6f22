// Generated from change-relation.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly add: Statement<{
    readonly friend_id: number;
  }>;
  readonly remove: Statement<Record<never, never>>;
}>(new URL('./change-relation.sql', import.meta.url));
