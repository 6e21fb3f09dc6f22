// Generated from purge.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly findDue: Statement<{
    readonly post_id: string;
    readonly deleted_at: Date;
    readonly holds_media: boolean;
  }>;
  readonly releaseMedia: Statement<{
    readonly media_id: string;
  }>;
  readonly removeParts: Statement<{
    readonly hasMore: boolean;
  }>;
  readonly removePosts: Statement<Record<never, never>>;
}>(new URL('./purge.sql', import.meta.url));
