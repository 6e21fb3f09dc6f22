// Generated from followers.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly followers: Statement<{
    readonly last: number;
    readonly userIds: readonly string[];
    readonly isActive: readonly boolean[];
  }>;
  readonly followersAmong: Statement<{
    readonly user_id: string;
  }>;
}>(new URL('./followers.sql', import.meta.url));
