// Generated from remove.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly begin: Statement<{
    readonly media_id: string;
    readonly kind: import('../types.js').Media['kind'];
    readonly storage_key: string;
  }>;
  readonly forget: Statement<Record<never, never>>;
  readonly interrupted: Statement<{
    readonly media_id: string;
  }>;
  readonly unused: Statement<{
    readonly media_id: string;
  }>;
}>(new URL('./remove.sql', import.meta.url));
