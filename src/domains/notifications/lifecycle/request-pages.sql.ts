// Generated from request-pages.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly pageOfRequests: Statement<{
    readonly requestId: string;
    readonly createdAt: Date;
    readonly isMatch: boolean;
  }>;
}>(new URL('./request-pages.sql', import.meta.url));
