// Generated from observe.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly attempts: Statement<{
    readonly channel: import('../channels.js').Channel;
    readonly priority: import('../types.js').Priority;
    readonly reached: boolean;
    readonly bucket: number | null;
    readonly count: number;
  }>;
  readonly deadByChannel: Statement<{
    readonly channel: import('../channels.js').Channel;
    readonly count: number;
  }>;
}>(new URL('./observe.sql', import.meta.url));
