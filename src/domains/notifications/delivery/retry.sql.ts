// Generated from retry.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly requeue: Statement<{
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
  }>;
}>(new URL('./retry.sql', import.meta.url));
