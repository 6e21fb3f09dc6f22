// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../postgres/postgres.js';

export const sql = loadStatements<{
  readonly chunkAt: Statement<{
    readonly key: string;
    readonly sha256: Buffer;
    readonly events: number;
  }>;
  readonly chunkOfStream: Statement<{
    readonly key: string;
    readonly sha256: Buffer;
    readonly events: number;
    readonly order: string | null;
  }>;
  readonly chunkAtMoment: Statement<{
    readonly key: string;
    readonly sha256: Buffer;
    readonly events: number;
  }>;
}>(new URL('./read.sql', import.meta.url));
