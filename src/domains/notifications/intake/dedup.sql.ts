// Generated from dedup.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly findAccepted: Statement<{
    readonly n: number;
    readonly bodyHash: Buffer;
    readonly response: import('./request.js').Acceptance;
  }>;
}>(new URL('./dedup.sql', import.meta.url));
