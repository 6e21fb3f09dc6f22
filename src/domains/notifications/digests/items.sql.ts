// Generated from items.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly store: Statement<Record<never, never>>;
  readonly take: Statement<{
    readonly deliveryId: string;
  }>;
  readonly putOff: Statement<Record<never, never>>;
  readonly due: Statement<{
    readonly digestId: string;
    readonly dueAt: Date;
    readonly items: number;
  }>;
  readonly lock: Statement<{
    readonly digestId: string;
  }>;
  readonly itemsOf: Statement<{
    readonly deliveryId: string;
    readonly digestId: string;
  }>;
  readonly lockGathered: Statement<{
    readonly deliveryId: string;
    readonly notificationId: string;
    readonly producer: string;
    readonly userId: string;
    readonly type: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly attempt: number;
    readonly createdAt: Date;
    readonly expiresAt: Date | null;
    readonly content: import('../providers/provider.js').RenderedContent;
    readonly correlationId: string;
    readonly isCancelled: boolean;
  }>;
  readonly usedIds: Statement<{
    readonly notificationId: string;
  }>;
}>(new URL('./items.sql', import.meta.url));
