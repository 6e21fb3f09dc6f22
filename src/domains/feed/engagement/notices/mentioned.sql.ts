// Generated from mentioned.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly mentioned: Statement<{
    readonly n: number;
    readonly userId: string;
    readonly key: string;
    readonly variables: Readonly<Record<string, string | number | null>>;
    readonly postId: string | null;
    readonly comment: string | null;
  }>;
}>(new URL('./mentioned.sql', import.meta.url));
