// Generated from lone-partitions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly nextLone: Statement<{
    readonly partition: string;
  }>;
  readonly findNeeded: Statement<{
    readonly lastId: string | null;
    readonly isLast: boolean;
    readonly isNeeded: boolean;
  }>;
  readonly detach: Statement<{
    readonly done: boolean | null;
  }>;
}>(new URL('./lone-partitions.sql', import.meta.url));
