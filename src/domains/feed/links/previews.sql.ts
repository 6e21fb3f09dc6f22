// Generated from previews.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly claim: Statement<{
    readonly url: string;
    readonly attempts: number;
    readonly isLast: boolean;
  }>;
  readonly findKnown: Statement<{
    readonly title: string | null;
    readonly imageUrl: string | null;
    readonly fetchedAt: Date;
  }>;
  readonly settle: Statement<Record<never, never>>;
  readonly postpone: Statement<Record<never, never>>;
  readonly findWaiting: Statement<{
    readonly postId: string;
  }>;
  readonly turnsOf: Statement<{
    readonly postId: string;
    readonly turn: number;
  }>;
  readonly find: Statement<{
    readonly postId: string;
    readonly url: string;
    readonly title: string | null;
    readonly imageUrl: string | null;
  }>;
}>(new URL('./previews.sql', import.meta.url));
