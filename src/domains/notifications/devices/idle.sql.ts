// Generated from idle.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly restPage: Statement<{
    readonly looked: number;
    readonly userId: string;
    readonly deviceId: string;
    readonly rested: string[];
  }>;
}>(new URL('./idle.sql', import.meta.url));
