// Generated from media.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly visible: Statement<{
    readonly media_id: string;
    readonly kind: import('../types.js').Media['kind'];
    readonly state: import('../types.js').Media['state'] | 'receiving' | 'removing';
    readonly storage_key: string;
    readonly renditions: readonly import('./media.js').StoredRendition[];
    readonly failure_reason: string | null;
  }>;
  readonly holding: Statement<{
    readonly post_id: string;
  }>;
}>(new URL('./media.sql', import.meta.url));
