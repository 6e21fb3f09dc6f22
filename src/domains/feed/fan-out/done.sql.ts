// Generated from done.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly doneUpTo: Statement<{
    readonly done: number;
    readonly noted: number;
  }>;
  readonly forget: Statement<Record<never, never>>;
}>(new URL('./done.sql', import.meta.url));
