// Generated from pulled.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly pulledPlaces: Statement<{
    readonly post_id: string;
    readonly created_at: Date;
    readonly author: string;
  }>;
}>(new URL('./pulled.sql', import.meta.url));
