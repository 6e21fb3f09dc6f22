// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly readStream: Statement<{
    readonly global_position: number;
    readonly stream_id: string;
    readonly stream_position: number;
    readonly event_type: string;
    readonly data: import('./types.js').JsonObject;
    readonly metadata: import('./types.js').EventMetadata;
    readonly created_at: Date;
  }>;
  readonly lastPlace: Statement<{
    readonly place: number;
  }>;
  readonly readFromSnapshot: Statement<{
    readonly global_position: number | null;
    readonly stream_id: string;
    readonly stream_position: number;
    readonly event_type: string | null;
    readonly data: import('./types.js').JsonObject;
    readonly metadata: import('./types.js').EventMetadata;
    readonly created_at: Date | null;
    readonly life: string;
  }>;
  readonly readSnapshot: Statement<{
    readonly stream_position: number;
    readonly data: import('./types.js').JsonObject;
  }>;
  readonly saveSnapshot: Statement<Record<never, never>>;
  readonly readAll: Statement<{
    readonly first: number;
    readonly through: number;
    readonly global_position: number | null;
    readonly stream_id: string | null;
    readonly stream_position: number | null;
    readonly event_type: string | null;
    readonly data: import('./types.js').JsonObject | null;
    readonly metadata: import('./types.js').EventMetadata | null;
    readonly created_at: Date | null;
  }>;
  readonly headPosition: Statement<{
    readonly global_position: number;
  }>;
  readonly positionAt: Statement<{
    readonly global_position: number;
    readonly is_archived: boolean;
  }>;
  readonly findCommandResult: Statement<{
    readonly same_body: boolean;
    readonly result: import('./types.js').JsonObject;
    readonly asked_at: string;
  }>;
}>(new URL('./read.sql', import.meta.url));
