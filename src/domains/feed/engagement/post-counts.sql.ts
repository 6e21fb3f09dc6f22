// Generated from post-counts.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly totals: Statement<{
    readonly post_id: string;
    readonly position: number;
    readonly waiting: number;
    readonly totals: number[];
  }>;
  readonly writeBackOne: Statement<{
    readonly write_back_counts: number | null;
  }>;
  readonly originals: Statement<{
    readonly postId: string;
  }>;
}>(new URL('./post-counts.sql', import.meta.url));
