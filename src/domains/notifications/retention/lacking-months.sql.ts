// Generated from lacking-months.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly findLacking: Statement<{
    readonly table: string;
    readonly month: string;
  }>;
}>(new URL('./lacking-months.sql', import.meta.url));
