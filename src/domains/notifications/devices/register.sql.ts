// Generated from register.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lock: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly lockDevices: Statement<Record<never, never>>;
  readonly register: Statement<{
    readonly deviceId: string;
    readonly platform: import('../channels.js').Platform;
    readonly appVersion: string | null;
    readonly isActive: boolean;
    readonly createdAt: Date;
    readonly lastSeenAt: Date;
    readonly formerOwners: string[];
  }>;
}>(new URL('./register.sql', import.meta.url));
