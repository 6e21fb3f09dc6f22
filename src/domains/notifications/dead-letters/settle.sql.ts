// Generated from settle.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly deadOfRequest: Statement<{
    readonly deliveryId: string;
  }>;
  readonly lockDeliveries: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly notificationId: string;
    readonly notificationType: string;
    readonly producer: string;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly status: import('../types.js').DeliveryStatus;
  }>;
  readonly settle: Statement<{
    readonly deliveryId: string;
  }>;
  readonly forgetFailures: Statement<Record<never, never>>;
}>(new URL('./settle.sql', import.meta.url));
