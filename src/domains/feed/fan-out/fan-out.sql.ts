// Generated from fan-out.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly begin: Statement<{
    readonly postId: string;
    readonly authorId: string;
  }>;
  readonly next: Statement<{
    readonly post_id: string;
    readonly position: number;
    readonly online_done: boolean;
    readonly after_follower: number;
    readonly followers: number;
    readonly pushed: number;
    readonly author: string;
    readonly author_id: number | null;
    readonly created_at: Date | null;
  }>;
  readonly traceOf: Statement<{
    readonly traceparent: string | null;
  }>;
  readonly onlineDone: Statement<Record<never, never>>;
  readonly complete: Statement<{
    readonly followers: number;
    readonly pushed: number;
    readonly seconds: number;
    readonly more: boolean;
  }>;
  readonly published: Statement<{
    readonly post_id: string;
    readonly author: string;
    readonly created_at: Date;
    readonly is_pulled: boolean;
  }>;
}>(new URL('./fan-out.sql', import.meta.url));
