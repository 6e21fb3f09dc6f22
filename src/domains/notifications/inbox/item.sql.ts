// Generated from item.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly itemsById: Statement<{
    readonly itemId: string;
    readonly notificationType: string;
    readonly title: string | null;
    readonly body: string;
    readonly actionUrl: string | null;
    readonly imageUrl: string | null;
    readonly createdAt: Date;
    readonly readAt: Date | null;
    readonly archivedAt: Date | null;
    readonly change: number;
    readonly actorCount: number | null;
    readonly deliveryId: string;
    readonly owed: 'delivered' | 'opened' | null;
  }>;
  readonly itemsAfter: Statement<{
    readonly itemId: string;
    readonly notificationType: string;
    readonly title: string | null;
    readonly body: string;
    readonly actionUrl: string | null;
    readonly imageUrl: string | null;
    readonly createdAt: Date;
    readonly readAt: Date | null;
    readonly archivedAt: Date | null;
    readonly change: number;
    readonly actorCount: number | null;
    readonly deliveryId: string;
    readonly owed: 'delivered' | 'opened' | null;
  }>;
  readonly state: Statement<{
    readonly change: number;
    readonly unread: number;
  }>;
  readonly unread: Statement<Record<never, never>>;
}>(new URL('./item.sql', import.meta.url));
