// Generated from search.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly search: Statement<{
    readonly rank: number;
    readonly key: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
  readonly searchBack: Statement<{
    readonly rank: number;
    readonly key: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
  readonly countFound: Statement<{
    readonly count: number;
    readonly looked: number;
  }>;
  readonly foundByAnybody: Statement<Record<never, never>>;
}>(new URL('./search.sql', import.meta.url));
