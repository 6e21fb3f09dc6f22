// Generated from pulled-authors.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly pulledAuthors: Statement<{
    readonly user_id: string;
  }>;
  readonly countPulledAuthors: Statement<{
    readonly authors: number;
  }>;
}>(new URL('./pulled-authors.sql', import.meta.url));
