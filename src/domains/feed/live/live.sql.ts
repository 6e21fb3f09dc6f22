// Generated from live.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly tracesOf: Statement<{
    readonly position: number;
    readonly traceparent: string;
  }>;
  readonly missed: Statement<{
    readonly reader: number;
    readonly postId: string;
    readonly authorId: string;
    readonly createdAt: Date;
    readonly position: number;
  }>;
}>(new URL('./live.sql', import.meta.url));
