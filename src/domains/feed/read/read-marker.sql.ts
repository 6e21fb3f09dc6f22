// Generated from read-marker.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly find: Statement<{
    readonly user_id: string;
    readonly created_at: Date;
    readonly post_id: string;
  }>;
  readonly mark: Statement<Record<never, never>>;
  readonly countAbove: Statement<{
    readonly count: number;
  }>;
}>(new URL('./read-marker.sql', import.meta.url));
