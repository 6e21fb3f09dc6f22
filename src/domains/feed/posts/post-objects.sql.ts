// Generated from post-objects.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly findObjects: Statement<{
    readonly postId: string;
    readonly version: number;
    readonly isDeleted: boolean;
    readonly authorId: string;
    readonly content: string;
    readonly visibility: import('../types.js').Visibility;
    readonly sharedPostId: string | null;
    readonly distribution: import('../types.js').Post['distribution'];
    readonly labels: string[];
    readonly fingerprint: string | null;
    readonly createdAt: Date;
    readonly editedAt: Date | null;
    readonly media: readonly import('../media/media.js').MediaRow[];
  }>;
}>(new URL('./post-objects.sql', import.meta.url));
