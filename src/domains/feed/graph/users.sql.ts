// Generated from users.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly signIn: Statement<Record<never, never>>;
  readonly saveProfile: Statement<{
    readonly isSaved: boolean;
  }>;
  readonly findUsers: Statement<{
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
  readonly findRelations: Statement<{
    readonly user_id: string;
    readonly followed: boolean;
    readonly follows_me: boolean;
    readonly muted: boolean;
    readonly blocked_by_me: boolean;
    readonly blocks_me: boolean;
  }>;
  readonly setVerified: Statement<Record<never, never>>;
  readonly settle: Statement<{
    readonly user_id: string;
  }>;
}>(new URL('./users.sql', import.meta.url));
