// Generated from session.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly noticeDeadPeer: Statement<{
    readonly set_config: string | null;
  }>;
  readonly readByIndex: Statement<{
    readonly set_config: string | null;
  }>;
  readonly endWhenIdle: Statement<{
    readonly set_config: string | null;
  }>;
  readonly touch: Statement<{
    readonly '?column?': number | null;
  }>;
  readonly tryLock: Statement<{
    readonly held: boolean;
  }>;
}>(new URL('./session.sql', import.meta.url));
