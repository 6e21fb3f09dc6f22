// Generated from projector.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly register: Statement<Record<never, never>>;
  readonly readCheckpoint: Statement<{
    readonly position: number;
  }>;
  readonly moveCheckpoint: Statement<{
    readonly position: number;
  }>;
  readonly confirmCheckpoint: Statement<Record<never, never>>;
  readonly recordFailure: Statement<Record<never, never>>;
  readonly clearFailure: Statement<Record<never, never>>;
}>(new URL('./projector.sql', import.meta.url));
