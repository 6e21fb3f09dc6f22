// Generated from relations.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly relationsOf: Statement<{
    readonly userId: string;
    readonly follows: string[];
    readonly muted: string[];
    readonly blocked: string[];
    readonly keywords: string[];
  }>;
  readonly pulledFollows: Statement<{
    readonly userId: string;
    readonly authorId: string;
  }>;
}>(new URL('./relations.sql', import.meta.url));
