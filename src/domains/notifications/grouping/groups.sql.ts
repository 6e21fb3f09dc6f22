// Generated from groups.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly lockGroups: Statement<{
    readonly groupId: string;
    readonly count: number;
    readonly told: import('./pace.js').GroupState['told'];
  }>;
  readonly newestActors: Statement<{
    readonly groupId: string;
    readonly name: string;
    readonly nth: number;
  }>;
  readonly pending: Statement<{
    readonly deliveryId: string;
  }>;
  readonly putOff: Statement<Record<never, never>>;
  readonly noteTold: Statement<Record<never, never>>;
  readonly affirm: Statement<{
    readonly add_group_actors: string | null;
  }>;
  readonly withdraw: Statement<Record<never, never>>;
}>(new URL('./groups.sql', import.meta.url));
