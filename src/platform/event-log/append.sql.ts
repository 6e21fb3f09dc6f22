// Generated from append.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly appendCommands: Statement<{
    readonly outcome: string | null;
    readonly result: import('./types.js').JsonObject | null;
  }>;
  readonly appendCommand: Statement<{
    readonly outcome: string | null;
    readonly result: import('./types.js').JsonObject | null;
  }>;
}>(new URL('./append.sql', import.meta.url));
