// Generated from upload.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly begin: Statement<Record<never, never>>;
  readonly complete: Statement<{
    readonly media_id: string;
    readonly kind: import('../types.js').Media['kind'];
    readonly state: import('../types.js').Media['state'] | 'receiving' | 'removing';
    readonly storage_key: string;
    readonly renditions: readonly import('./media.js').StoredRendition[];
    readonly failure_reason: string | null;
  }>;
  readonly abandon: Statement<Record<never, never>>;
}>(new URL('./upload.sql', import.meta.url));
