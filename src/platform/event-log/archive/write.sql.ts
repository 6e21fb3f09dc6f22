// Generated from write.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../postgres/postgres.js';

export const sql = loadStatements<{
  readonly nextPartition: Statement<{
    readonly from: number;
    readonly until: number;
  }>;
  readonly lastChunk: Statement<{
    readonly number: number;
    readonly last_position: number;
    readonly last_stream: string;
    readonly last_place: number;
  }>;
  readonly readLines: Statement<{
    readonly line: string;
    readonly position: number;
    readonly stream: string;
    readonly place: number;
    readonly created_at: string;
  }>;
  readonly noteChunk: Statement<Record<never, never>>;
  readonly countEvents: Statement<{
    readonly events: number;
  }>;
  readonly unverified: Statement<{
    readonly sort: string;
    readonly number: number;
    readonly key: string;
    readonly sha256: Buffer;
    readonly events: number;
  }>;
  readonly noteVerified: Statement<Record<never, never>>;
  readonly forgetChunksFrom: Statement<Record<never, never>>;
  readonly listChunks: Statement<{
    readonly sortedBy: string;
    readonly key: string;
    readonly sha256: string | null;
    readonly bytes: number;
    readonly events: number;
    readonly firstPosition: number;
    readonly firstStream: string;
    readonly firstPlace: number;
    readonly lastPosition: number;
    readonly lastStream: string;
    readonly lastPlace: number;
  }>;
  readonly detach: Statement<{
    readonly detached: boolean;
  }>;
  readonly leftOver: Statement<{
    readonly from: number;
  }>;
  readonly drop: Statement<{
    readonly dropped: boolean | null;
  }>;
}>(new URL('./write.sql', import.meta.url));
