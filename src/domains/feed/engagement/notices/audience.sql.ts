// Generated from audience.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly liked: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
  readonly unliked: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly postId: string;
    readonly actorId: string;
    readonly undoneAt: Date;
  }>;
  readonly commented: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
  readonly replied: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
  readonly shared: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
  readonly published: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
  readonly followed: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
  readonly mentioned: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
}>(new URL('./audience.sql', import.meta.url));
