// Generated from posts.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly pageAuthors: Statement<{
    readonly author: string;
    readonly post_id: string;
    readonly created_at: Date;
  }>;
}>(new URL('./posts.sql', import.meta.url));
