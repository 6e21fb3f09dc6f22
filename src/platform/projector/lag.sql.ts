// Generated from lag.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly readHead: Statement<{
    readonly head: number;
  }>;
  readonly readLags: Statement<{
    readonly projector_name: string;
    readonly lag: number;
  }>;
}>(new URL('./lag.sql', import.meta.url));
