// Generated from pushed.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly pushedPlaces: Statement<{
    readonly post_id: string;
    readonly created_at: Date;
  }>;
}>(new URL('./pushed.sql', import.meta.url));
