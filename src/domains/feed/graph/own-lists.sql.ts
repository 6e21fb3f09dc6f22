// Generated from own-lists.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly pageMuted: Statement<{
    readonly of: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
    readonly since: Date;
  }>;
  readonly pageMutedBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
    readonly since: Date;
  }>;
  readonly pageBlocked: Statement<{
    readonly of: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
    readonly since: Date;
  }>;
  readonly pageBlockedBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
    readonly since: Date;
  }>;
  readonly pageCloseFriends: Statement<{
    readonly of: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
    readonly since: Date;
  }>;
  readonly pageCloseFriendsBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
    readonly since: Date;
  }>;
  readonly muted: Statement<Record<never, never>>;
  readonly blocked: Statement<Record<never, never>>;
  readonly closeFriends: Statement<Record<never, never>>;
}>(new URL('./own-lists.sql', import.meta.url));
