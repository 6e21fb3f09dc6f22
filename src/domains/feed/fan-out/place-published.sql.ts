// Generated from place-published.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly published: Statement<{
    readonly post_id: string;
    readonly author: string;
    readonly created_at: Date;
    readonly is_pulled: boolean;
  }>;
}>(new URL('./place-published.sql', import.meta.url));
