// Generated from rebuild.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly readCheckpoint: Statement<{
    readonly position: number;
  }>;
  readonly holdCheckpoint: Statement<{
    readonly position: number;
  }>;
  readonly finish: Statement<Record<never, never>>;
}>(new URL('./rebuild.sql', import.meta.url));
