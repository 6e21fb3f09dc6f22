// Generated from list.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly forward: Statement<{
    readonly suppressionId: string;
    readonly channel: import('../channels.js').Channel;
    readonly address: string;
    readonly cause: import('./cause.js').SuppressionCause;
    readonly note: string | null;
    readonly addedBy: string | null;
    readonly deliveryId: string | null;
    readonly createdAt: Date;
  }>;
  readonly backward: Statement<{
    readonly suppressionId: string;
    readonly channel: import('../channels.js').Channel;
    readonly address: string;
    readonly cause: import('./cause.js').SuppressionCause;
    readonly note: string | null;
    readonly addedBy: string | null;
    readonly deliveryId: string | null;
    readonly createdAt: Date;
  }>;
  readonly ofChannelForward: Statement<{
    readonly suppressionId: string;
    readonly channel: import('../channels.js').Channel;
    readonly address: string;
    readonly cause: import('./cause.js').SuppressionCause;
    readonly note: string | null;
    readonly addedBy: string | null;
    readonly deliveryId: string | null;
    readonly createdAt: Date;
  }>;
  readonly ofChannelBackward: Statement<{
    readonly suppressionId: string;
    readonly channel: import('../channels.js').Channel;
    readonly address: string;
    readonly cause: import('./cause.js').SuppressionCause;
    readonly note: string | null;
    readonly addedBy: string | null;
    readonly deliveryId: string | null;
    readonly createdAt: Date;
  }>;
  readonly ofAddress: Statement<{
    readonly suppressionId: string;
    readonly channel: import('../channels.js').Channel;
    readonly address: string;
    readonly cause: import('./cause.js').SuppressionCause;
    readonly note: string | null;
    readonly addedBy: string | null;
    readonly deliveryId: string | null;
    readonly createdAt: Date;
  }>;
  readonly byId: Statement<{
    readonly suppressionId: string;
    readonly channel: import('../channels.js').Channel;
    readonly address: string;
    readonly cause: import('./cause.js').SuppressionCause;
    readonly note: string | null;
    readonly addedBy: string | null;
    readonly deliveryId: string | null;
    readonly createdAt: Date;
  }>;
}>(new URL('./list.sql', import.meta.url));
