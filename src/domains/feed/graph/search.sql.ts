// Generated from search.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly search: Statement<{
    readonly rank: number;
    readonly key: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
  readonly searchBack: Statement<{
    readonly rank: number;
    readonly key: string;
    readonly id: number;
    readonly user_id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
    readonly is_verified: boolean;
    readonly is_celebrity: boolean;
    readonly follower_count: number;
    readonly following_count: number;
  }>;
  readonly countFound: Statement<{
    readonly count: number;
    readonly looked: number;
  }>;
  readonly foundByAnybody: Statement<Record<never, never>>;
}>(new URL('./search.sql', import.meta.url));
