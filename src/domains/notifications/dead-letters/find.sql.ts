// Generated from find.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly openForward: Statement<{
    readonly deliveryId: string;
    readonly notificationId: string;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly error: string;
    readonly attempts: number;
    readonly createdAt: Date;
    readonly failedAt: Date;
    readonly settledAt: Date | null;
  }>;
  readonly openBackward: Statement<{
    readonly deliveryId: string;
    readonly notificationId: string;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly error: string;
    readonly attempts: number;
    readonly createdAt: Date;
    readonly failedAt: Date;
    readonly settledAt: Date | null;
  }>;
  readonly openOfChannelForward: Statement<{
    readonly deliveryId: string;
    readonly notificationId: string;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly error: string;
    readonly attempts: number;
    readonly createdAt: Date;
    readonly failedAt: Date;
    readonly settledAt: Date | null;
  }>;
  readonly openOfChannelBackward: Statement<{
    readonly deliveryId: string;
    readonly notificationId: string;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly error: string;
    readonly attempts: number;
    readonly createdAt: Date;
    readonly failedAt: Date;
    readonly settledAt: Date | null;
  }>;
  readonly open: Statement<Record<never, never>>;
  readonly openOfChannel: Statement<Record<never, never>>;
  readonly failedById: Statement<{
    readonly deliveryId: string;
    readonly notificationId: string;
    readonly userId: string;
    readonly channel: import('../channels.js').Channel;
    readonly error: string;
    readonly attempts: number;
    readonly createdAt: Date;
    readonly failedAt: Date;
    readonly settledAt: Date | null;
  }>;
}>(new URL('./find.sql', import.meta.url));
