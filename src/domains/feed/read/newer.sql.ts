// Generated from newer.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly newerPlaces: Statement<{
    readonly post_id: string;
    readonly created_at: Date;
    readonly pulled: boolean;
    readonly author: number;
  }>;
}>(new URL('./newer.sql', import.meta.url));
