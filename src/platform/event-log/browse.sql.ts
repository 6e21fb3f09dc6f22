// Generated from browse.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly bounds: Statement<{
    readonly first: number;
    readonly last: number;
  }>;
  readonly streamForward: Statement<{
    readonly global_position: number;
    readonly stream_id: string;
    readonly stream_position: number;
    readonly event_type: string;
    readonly data: import('./types.js').JsonObject;
    readonly metadata: import('./types.js').EventMetadata;
    readonly created_at: Date;
  }>;
  readonly streamBackward: Statement<{
    readonly global_position: number;
    readonly stream_id: string;
    readonly stream_position: number;
    readonly event_type: string;
    readonly data: import('./types.js').JsonObject;
    readonly metadata: import('./types.js').EventMetadata;
    readonly created_at: Date;
  }>;
  readonly correlationForward: Statement<{
    readonly first: number;
    readonly global_position: number | null;
    readonly stream_id: string | null;
    readonly stream_position: number | null;
    readonly event_type: string | null;
    readonly data: import('./types.js').JsonObject | null;
    readonly metadata: import('./types.js').EventMetadata | null;
    readonly created_at: Date | null;
  }>;
  readonly correlationBackward: Statement<{
    readonly first: number;
    readonly global_position: number | null;
    readonly stream_id: string | null;
    readonly stream_position: number | null;
    readonly event_type: string | null;
    readonly data: import('./types.js').JsonObject | null;
    readonly metadata: import('./types.js').EventMetadata | null;
    readonly created_at: Date | null;
  }>;
}>(new URL('./browse.sql', import.meta.url));
