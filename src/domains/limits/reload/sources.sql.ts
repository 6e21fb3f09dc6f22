// Generated from sources.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly findSource: Statement<{
    readonly seen_after: number;
  }>;
  readonly addSource: Statement<Record<never, never>>;
}>(new URL('./sources.sql', import.meta.url));
