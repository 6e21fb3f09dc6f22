// Generated from change.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly add: Statement<Record<never, never>>;
  readonly remove: Statement<{
    readonly suppressionId: string;
    readonly cause: string;
  }>;
  readonly stop: Statement<{
    readonly apply_address_events: string | null;
  }>;
  readonly start: Statement<Record<never, never>>;
  readonly usersOf: Statement<{
    readonly userId: string;
  }>;
}>(new URL('./change.sql', import.meta.url));
