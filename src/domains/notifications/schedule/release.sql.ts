// Generated from release.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly takeDue: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly notificationId: string;
    readonly producer: string;
    readonly userId: string;
    readonly type: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly attempt: number;
    readonly expiresAt: Date | null;
    readonly variables: import('../templates/render.js').Variables;
    readonly groupId: string | null;
    readonly fallbacks: readonly import('../channels.js').Channel[];
    readonly templateId: string;
    readonly correlationId: string;
  }>;
  readonly takeOne: Statement<{
    readonly deliveryId: string;
    readonly requestId: string;
    readonly notificationId: string;
    readonly producer: string;
    readonly userId: string;
    readonly type: string;
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly attempt: number;
    readonly expiresAt: Date | null;
    readonly variables: import('../templates/render.js').Variables;
    readonly groupId: string | null;
    readonly fallbacks: readonly import('../channels.js').Channel[];
    readonly templateId: string;
    readonly correlationId: string;
  }>;
  readonly putOff: Statement<Record<never, never>>;
}>(new URL('./release.sql', import.meta.url));
