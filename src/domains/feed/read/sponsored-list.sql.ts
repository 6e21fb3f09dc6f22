// Generated from sponsored-list.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly page: Statement<{
    readonly postId: string;
    readonly startsAt: Date;
    readonly endsAt: Date | null;
  }>;
  readonly pageBack: Statement<{
    readonly postId: string;
    readonly startsAt: Date;
    readonly endsAt: Date | null;
  }>;
  readonly all: Statement<Record<never, never>>;
}>(new URL('./sponsored-list.sql', import.meta.url));
