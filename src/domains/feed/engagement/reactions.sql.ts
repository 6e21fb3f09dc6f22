// Generated from reactions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly ofViewer: Statement<{
    readonly postId: string;
    readonly kind: import('../types.js').ReactionKind;
  }>;
  readonly page: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reactedAt: Date;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
  readonly pageBack: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reactedAt: Date;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
  readonly pageOfKind: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reactedAt: Date;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
  readonly pageOfKindBack: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reactedAt: Date;
    readonly id: number;
    readonly userId: string;
    readonly displayName: string;
    readonly avatarUrl: string | null;
    readonly isVerified: boolean;
    readonly isCelebrity: boolean;
    readonly followerCount: number;
    readonly followingCount: number;
  }>;
}>(new URL('./reactions.sql', import.meta.url));
