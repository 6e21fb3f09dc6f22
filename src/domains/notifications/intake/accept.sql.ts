// Generated from accept.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly accept: Statement<{
    readonly outcome: 'accepted' | 'repeated' | 'reused' | 'refused';
    readonly response: import('./request.js').Acceptance | null;
  }>;
}>(new URL('./accept.sql', import.meta.url));
