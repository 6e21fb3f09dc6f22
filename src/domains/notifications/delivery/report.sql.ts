// Generated from report.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockDeliveries: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly notificationId: string;
    readonly producer: string;
    readonly userId: string;
    readonly notificationType: string;
    readonly channel: import('../types.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly status: import('../types.js').DeliveryStatus;
    readonly attempt: number;
    readonly maxRetries: number;
    readonly content: import('../providers/provider.js').RenderedContent;
    readonly createdAt: Date;
    readonly queuedAt: Date;
    readonly expiresAt: Date | null;
    readonly address: string | null;
  }>;
  readonly lockLeases: Statement<{
    readonly deliveryId: string;
    readonly isLeased: boolean;
  }>;
  readonly pastOf: Statement<{
    readonly deliveryId: string;
    readonly calledAt: Date | null;
    readonly engagements: readonly { readonly event: import('../types.js').LifecycleEvent; readonly detail: import('../types.js').Detail | null }[];
    readonly providerId: string | null;
  }>;
  readonly deferReports: Statement<Record<never, never>>;
  readonly applyAddressEvents: Statement<{
    readonly apply_address_events: string | null;
  }>;
  readonly switchOff: Statement<{
    readonly userId: string;
  }>;
}>(new URL('./report.sql', import.meta.url));
