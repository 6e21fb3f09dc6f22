// Generated from mailbox.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly claim: Statement<{
    readonly n: number;
    readonly more: boolean | null;
    readonly deliveryId: string | null;
    readonly requestId: string | null;
    readonly notificationId: string | null;
    readonly producer: string | null;
    readonly userId: string | null;
    readonly notificationType: string | null;
    readonly channel: string | null;
    readonly priority: string | null;
    readonly attempt: number | null;
    readonly maxRetries: number | null;
    readonly content: unknown | null;
    readonly createdAt: Date | null;
    readonly queuedAt: Date | null;
    readonly isCancelled: boolean | null;
    readonly expiresAt: Date | null;
    readonly leaseToken: string | null;
    readonly takenOver: boolean | null;
    readonly heldBy: string | null;
    readonly heldMs: number | null;
    readonly reachedSome: boolean | null;
    readonly targets: unknown | null;
    readonly sequence: string;
  }>;
  readonly tracesOf: Statement<{
    readonly requestId: string;
    readonly traceparent: string;
  }>;
  readonly apply: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly hasFallback: boolean;
    readonly channel: import('../types.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly notificationType: string;
    readonly templateId: string | null;
    readonly since: Date;
    readonly fallbackId: string | null;
    readonly fallbackChannel: import('../channels.js').Channel | null;
  }>;
  readonly finish: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly hasFallback: boolean;
    readonly channel: import('../types.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly notificationType: string;
    readonly templateId: string | null;
    readonly since: Date;
    readonly fallbackId: string | null;
    readonly fallbackChannel: import('../channels.js').Channel | null;
    readonly isFollowed: boolean;
  }>;
}>(new URL('./mailbox.sql', import.meta.url));
