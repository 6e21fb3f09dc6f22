// Generated from groups.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly prepareSummaries: Statement<Record<never, never>>;
  readonly lockSummaries: Statement<{
    readonly groupId: string;
    readonly channel: import('../channels.js').Channel;
    readonly summary: import('./pace.js').Summary | null;
  }>;
  readonly people: Statement<{
    readonly groupId: string;
    readonly count: number;
    readonly newest: readonly { readonly name: string; readonly nth: number }[];
  }>;
  readonly pending: Statement<{
    readonly deliveryId: string;
  }>;
  readonly putOff: Statement<Record<never, never>>;
  readonly recordSummaries: Statement<Record<never, never>>;
  readonly affirm: Statement<{
    readonly add_group_actors: string | null;
  }>;
  readonly withdraw: Statement<Record<never, never>>;
}>(new URL('./groups.sql', import.meta.url));
