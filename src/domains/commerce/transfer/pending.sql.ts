// Generated from pending.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly turnsOf: Statement<{
    readonly transferId: string;
    readonly turn: number;
  }>;
}>(new URL('./pending.sql', import.meta.url));
