// Generated from lists.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly pageFollowers: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageFollowersBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageFollowing: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageFollowingBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageMuted: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageMutedBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageBlocked: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageBlockedBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageCloseFriends: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly pageCloseFriendsBack: Statement<{
    readonly of: string;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
    readonly since: Date;
  }>;
  readonly muted: Statement<Record<never, never>>;
  readonly blocked: Statement<Record<never, never>>;
  readonly closeFriends: Statement<Record<never, never>>;
}>(new URL('./lists.sql', import.meta.url));
