// Generated from choices.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly recipientOf: Statement<{
    readonly userId: string;
    readonly notificationType: string;
    readonly channel: import('../channels.js').Channel;
  }>;
  readonly choicesOf: Statement<{
    readonly notificationType: string;
    readonly channel: import('../channels.js').Channel;
    readonly enabled: boolean;
  }>;
}>(new URL('./choices.sql', import.meta.url));
