// Generated from muted-keywords.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly keywordsOf: Statement<{
    readonly keywords: string[];
  }>;
}>(new URL('./muted-keywords.sql', import.meta.url));
