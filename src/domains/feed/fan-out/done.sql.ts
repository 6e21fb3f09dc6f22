// Generated from done.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly doneUpTo: Statement<{
    readonly done: number;
    readonly noted: number;
  }>;
}>(new URL('./done.sql', import.meta.url));
