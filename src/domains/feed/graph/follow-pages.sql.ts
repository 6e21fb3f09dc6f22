// Generated from follow-pages.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly pageFollowers: Statement<{
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
  readonly pageFollowersBack: Statement<{
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
  readonly pageFollowing: Statement<{
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
  readonly pageFollowingBack: Statement<{
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
}>(new URL('./follow-pages.sql', import.meta.url));
