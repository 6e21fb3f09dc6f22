// Generated from post-objects.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly findObjects: Statement<{
    readonly post_id: string;
    readonly version: number;
    readonly is_deleted: boolean;
    readonly author: string;
    readonly content: string;
    readonly visibility: import('../types.js').Visibility;
    readonly shared_post_id: string | null;
    readonly distribution: import('../types.js').Post['distribution'];
    readonly labels: string[];
    readonly fingerprint: string | null;
    readonly created_at: Date;
    readonly edited_at: Date | null;
    readonly media: readonly import('../media/media.js').MediaRow[];
  }>;
}>(new URL('./post-objects.sql', import.meta.url));
