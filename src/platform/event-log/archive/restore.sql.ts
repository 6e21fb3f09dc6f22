// Generated from restore.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../postgres/postgres.js';

export const sql = loadStatements<{
  readonly lastArchived: Statement<{
    readonly from: number;
    readonly until: number;
  }>;
  readonly dropAbandoned: Statement<{
    readonly name: string;
    readonly dropped: boolean;
  }>;
  readonly drop: Statement<{
    readonly dropped: boolean;
  }>;
  readonly addLines: Statement<{
    readonly position: number;
  }>;
  readonly chunkAt: Statement<{
    readonly key: string;
    readonly sha256: Buffer;
    readonly events: number;
  }>;
  readonly attach: Statement<{
    readonly attach_restored_partition: string | null;
  }>;
}>(new URL('./restore.sql', import.meta.url));
