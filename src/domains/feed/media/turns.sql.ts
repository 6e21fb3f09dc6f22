// Generated from turns.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly next: Statement<{
    readonly media_id: string;
  }>;
  readonly stalled: Statement<{
    readonly owner_id: string;
    readonly kind: import('../types.js').Media['kind'];
  }>;
  readonly owner: Statement<{
    readonly owner_id: string;
    readonly kind: import('../types.js').Media['kind'];
  }>;
}>(new URL('./turns.sql', import.meta.url));
