// Generated from retention.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readNow: Statement<{
    readonly now: Date;
  }>;
  readonly nextPartition: Statement<{
    readonly partition: string;
  }>;
  readonly forgetRequests: Statement<{
    readonly lastAt: Date | null;
    readonly lastId: string | null;
    readonly isLast: boolean;
    readonly forgotten: number;
  }>;
  readonly forgetItems: Statement<{
    readonly looked: number;
    readonly lastAt: Date | null;
    readonly lastId: string | null;
    readonly forgotten: number;
  }>;
  readonly forgetStrayItems: Statement<Record<never, never>>;
  readonly nextMonth: Statement<{
    readonly partition: string;
    readonly isAttached: boolean;
  }>;
  readonly dropPartition: Statement<{
    readonly done: boolean;
  }>;
  readonly nextDocuments: Statement<{
    readonly partition: string;
    readonly until: Date | null;
  }>;
  readonly forgetBlocks: Statement<Record<never, never>>;
  readonly forgetStrayDocuments: Statement<{
    readonly lastId: string | null;
    readonly looked: number;
  }>;
  readonly forgetAlerts: Statement<Record<never, never>>;
}>(new URL('./retention.sql', import.meta.url));
