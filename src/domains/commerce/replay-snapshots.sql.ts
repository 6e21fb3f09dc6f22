// Generated from replay-snapshots.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly find: Statement<{
    readonly streamPosition: number;
    readonly at: Date;
    readonly state: string;
  }>;
  readonly save: Statement<Record<never, never>>;
  readonly forget: Statement<Record<never, never>>;
}>(new URL('./replay-snapshots.sql', import.meta.url));
