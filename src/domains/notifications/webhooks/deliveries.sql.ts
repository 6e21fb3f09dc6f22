// Generated from deliveries.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly forward: Statement<{
    readonly deliveryId: string;
    readonly eventType: string;
    readonly status: import('./webhook.js').WebhookDeliveryStatus;
    readonly attempts: number;
    readonly lastStatusCode: number | null;
    readonly lastAnswer: string | null;
    readonly lastError: string | null;
    readonly createdAt: Date;
    readonly deliveredAt: Date | null;
    readonly nextAttemptAt: Date | null;
  }>;
  readonly backward: Statement<{
    readonly deliveryId: string;
    readonly eventType: string;
    readonly status: import('./webhook.js').WebhookDeliveryStatus;
    readonly attempts: number;
    readonly lastStatusCode: number | null;
    readonly lastAnswer: string | null;
    readonly lastError: string | null;
    readonly createdAt: Date;
    readonly deliveredAt: Date | null;
    readonly nextAttemptAt: Date | null;
  }>;
  readonly failedForward: Statement<{
    readonly deliveryId: string;
    readonly eventType: string;
    readonly status: import('./webhook.js').WebhookDeliveryStatus;
    readonly attempts: number;
    readonly lastStatusCode: number | null;
    readonly lastAnswer: string | null;
    readonly lastError: string | null;
    readonly createdAt: Date;
    readonly deliveredAt: Date | null;
    readonly nextAttemptAt: Date | null;
  }>;
  readonly failedBackward: Statement<{
    readonly deliveryId: string;
    readonly eventType: string;
    readonly status: import('./webhook.js').WebhookDeliveryStatus;
    readonly attempts: number;
    readonly lastStatusCode: number | null;
    readonly lastAnswer: string | null;
    readonly lastError: string | null;
    readonly createdAt: Date;
    readonly deliveredAt: Date | null;
    readonly nextAttemptAt: Date | null;
  }>;
  readonly replayOne: Statement<{
    readonly subject: string;
  }>;
  readonly replayPage: Statement<{
    readonly count: number;
    readonly lastAt: Date | null;
    readonly lastId: string | null;
  }>;
  readonly madeNext: Statement<{
    readonly createdAt: Date;
  }>;
}>(new URL('./deliveries.sql', import.meta.url));
