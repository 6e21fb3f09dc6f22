// Generated from positions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres.js';

export const sql = loadStatements<{
  readonly readPrimary: Statement<{
    readonly position: number;
    readonly timeline: string;
  }>;
  readonly readReplica: Statement<{
    readonly isReplica: boolean;
    readonly position: number | null;
  }>;
}>(new URL('./positions.sql', import.meta.url));
