// Generated from forget.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly forgetDeliveries: Statement<Record<never, never>>;
  readonly forgetBacklogs: Statement<Record<never, never>>;
  readonly forgetStaleBacklogs: Statement<{
    readonly lastId: string | null;
    readonly looked: number;
  }>;
  readonly forgetWebhooks: Statement<Record<never, never>>;
}>(new URL('./forget.sql', import.meta.url));
