// Generated from index-deliveries.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockIndexing: Statement<{
    readonly taken: boolean | null;
  }>;
  readonly takeQueued: Statement<{
    readonly entryId: number;
    readonly deliveryIds: string[] | null;
  }>;
  readonly oldest: Statement<{
    readonly entryId: number;
    readonly waitingMs: number;
  }>;
  readonly searched: Statement<{
    readonly deliveryId: string;
    readonly createdAt: Date;
    readonly userId: string;
    readonly channel: import('../types.js').Channel;
    readonly notificationType: string;
    readonly producer: string;
    readonly content: import('../providers/provider.js').RenderedContent | Record<string, never>;
    readonly address: string | null;
  }>;
  readonly index: Statement<{
    readonly written: number | null;
  }>;
  readonly complete: Statement<Record<never, never>>;
}>(new URL('./index-deliveries.sql', import.meta.url));
