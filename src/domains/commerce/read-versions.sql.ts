// Generated from read-versions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readVersions: Statement<{
    readonly kind: string | null;
    readonly id: string | null;
    readonly version: number | null;
  }>;
}>(new URL('./read-versions.sql', import.meta.url));
