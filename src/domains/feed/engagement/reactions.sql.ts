// Generated from reactions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly ofViewer: Statement<{
    readonly postId: string;
    readonly kind: import('../types.js').ReactionKind;
  }>;
  readonly page: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reacted_at: Date;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
  readonly pageBack: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reacted_at: Date;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
  readonly pageOfKind: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reacted_at: Date;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
  readonly pageOfKindBack: Statement<{
    readonly of: string;
    readonly kind: import('../types.js').ReactionKind;
    readonly reacted_at: Date;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
}>(new URL('./reactions.sql', import.meta.url));
