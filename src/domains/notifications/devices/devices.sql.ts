// Generated from devices.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly devicesOf: Statement<{
    readonly deviceId: string;
    readonly platform: import('../channels.js').Platform;
    readonly appVersion: string | null;
    readonly isActive: boolean;
    readonly createdAt: Date;
    readonly lastSeenAt: Date;
  }>;
  readonly unregister: Statement<{
    readonly deviceId: string;
    readonly platform: import('../channels.js').Platform;
    readonly appVersion: string | null;
    readonly isActive: boolean;
    readonly createdAt: Date;
    readonly lastSeenAt: Date;
  }>;
}>(new URL('./devices.sql', import.meta.url));
