// Generated from follow.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly receivedRequest: Statement<{
    readonly requestId: string;
  }>;
  readonly eventsAfter: Statement<{
    readonly number: number;
    readonly deliveryId: string;
    readonly userId: string;
    readonly channel: import('../types.js').Channel;
    readonly event: import('../types.js').LifecycleEvent;
    readonly status: import('../types.js').DeliveryStatus;
    readonly at: Date;
  }>;
}>(new URL('./follow.sql', import.meta.url));
