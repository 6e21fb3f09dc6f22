// Generated from commands.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly isKnownCommand: Statement<{
    readonly known: boolean;
  }>;
  readonly findShared: Statement<{
    readonly post_id: string;
    readonly visibility: import('../types.js').Visibility;
    readonly is_seen: boolean;
  }>;
  readonly findAuthor: Statement<{
    readonly user_id: string;
    readonly shared_post_id: string | null;
  }>;
  readonly findEdits: Statement<{
    readonly postId: string;
    readonly position: string;
    readonly editedAt: Date;
  }>;
  readonly findEditTexts: Statement<{
    readonly content: string | null;
  }>;
  readonly isTurn: Statement<{
    readonly turned: boolean;
  }>;
}>(new URL('./commands.sql', import.meta.url));
