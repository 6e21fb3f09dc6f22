// Generated from page.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly allForward: Statement<{
    readonly itemId: string;
  }>;
  readonly allBackward: Statement<{
    readonly itemId: string;
  }>;
  readonly unreadForward: Statement<{
    readonly itemId: string;
  }>;
  readonly unreadBackward: Statement<{
    readonly itemId: string;
  }>;
  readonly archivedForward: Statement<{
    readonly itemId: string;
  }>;
  readonly archivedBackward: Statement<{
    readonly itemId: string;
  }>;
}>(new URL('./page.sql', import.meta.url));
