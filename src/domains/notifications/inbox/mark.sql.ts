// Generated from mark.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockInbox: Statement<{
    readonly change: number;
  }>;
  readonly next: Statement<{
    readonly itemId: string;
    readonly change: number;
  }>;
  readonly mark: Statement<{
    readonly changed: number;
  }>;
}>(new URL('./mark.sql', import.meta.url));
