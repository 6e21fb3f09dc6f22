// Generated from request-months.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly nextMonth: Statement<{
    readonly month: string;
    readonly until: Date;
    readonly isAttached: boolean;
    readonly since: Date;
  }>;
  readonly findKept: Statement<{
    readonly lastId: string | null;
    readonly isLast: boolean;
    readonly kept: string[];
    readonly deliveries: number;
  }>;
  readonly detach: Statement<{
    readonly done: boolean;
  }>;
  readonly forgetLetters: Statement<{
    readonly lastId: string | null;
    readonly isLast: boolean;
  }>;
  readonly drop: Statement<{
    readonly done: boolean;
  }>;
}>(new URL('./request-months.sql', import.meta.url));
