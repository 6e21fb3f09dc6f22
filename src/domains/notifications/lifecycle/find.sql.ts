// Generated from find.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly requestByName: Statement<{
    readonly requestId: string;
  }>;
  readonly requestsById: Statement<{
    readonly requestId: string;
    readonly notificationId: string;
    readonly type: string;
    readonly priority: import('../types.js').Priority;
    readonly templateId: string;
    readonly producer: string;
    readonly scheduleAt: Date | null;
    readonly scheduleInLocalTime: boolean;
    readonly expiresAt: Date | null;
    readonly createdAt: Date;
    readonly status: import('./find.js').RequestStatus;
  }>;
  readonly deliveriesById: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly notificationId: string;
    readonly producer: string;
    readonly userId: string;
    readonly notificationType: string;
    readonly channel: import('../types.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly status: import('../types.js').DeliveryStatus;
    readonly suppression: import('../types.js').SuppressionReason | null;
    readonly attempt: number;
    readonly maxRetries: number;
    readonly lastError: string | null;
    readonly nextRetryAt: Date | null;
    readonly createdAt: Date;
    readonly expiresAt: Date | null;
    readonly content: import('../providers/provider.js').RenderedContent | Record<string, never>;
    readonly fallbackForId: string | null;
    readonly sequence: number;
    readonly dueAt: Date | null;
    readonly address: string | null;
  }>;
  readonly targets: Statement<{
    readonly deliveryId: string;
    readonly target: string;
    readonly error: string | null;
    readonly providerId: string | null;
  }>;
  readonly timelines: Statement<{
    readonly deliveryId: string;
    readonly event: import('../types.js').LifecycleEvent;
    readonly at: Date;
    readonly detail: import('../types.js').Detail | null;
  }>;
}>(new URL('./find.sql', import.meta.url));
