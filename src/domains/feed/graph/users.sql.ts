// Generated from users.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly signIn: Statement<Record<never, never>>;
  readonly saveProfile: Statement<Record<never, never>>;
  readonly findUsers: Statement<{
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
  readonly findRelations: Statement<{
    readonly user_id: string;
    readonly followed: boolean;
    readonly follows_me: boolean;
    readonly muted: boolean;
    readonly blocked_by_me: boolean;
    readonly blocks_me: boolean;
  }>;
}>(new URL('./users.sql', import.meta.url));
