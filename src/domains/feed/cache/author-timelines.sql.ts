// Generated from author-timelines.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly latestPulled: Statement<{
    readonly author: string;
    readonly post_id: string;
    readonly created_at: Date;
  }>;
}>(new URL('./author-timelines.sql', import.meta.url));
