// Generated from sponsored.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly active: Statement<{
    readonly post_id: string;
  }>;
  readonly find: Statement<{
    readonly startsAt: Date;
    readonly endsAt: Date | null;
  }>;
  readonly sponsor: Statement<Record<never, never>>;
  readonly unsponsor: Statement<Record<never, never>>;
}>(new URL('./sponsored.sql', import.meta.url));
