// Generated from puts.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly newestPut: Statement<{
    readonly sequence: number;
    readonly version: string;
    readonly document: string | null;
    readonly putBy: string;
    readonly putAt: Date;
    readonly correlationId: string;
  }>;
  readonly lockPuts: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly addPut: Statement<{
    readonly sequence: number;
    readonly version: string;
    readonly document: string;
    readonly putBy: string;
    readonly putAt: Date;
    readonly correlationId: string;
  }>;
  readonly holdsEverywhere: Statement<{
    readonly holds: boolean;
  }>;
  readonly putsForward: Statement<{
    readonly sequence: number;
    readonly version: string;
    readonly document: string;
    readonly putBy: string;
    readonly putAt: Date;
    readonly correlationId: string;
  }>;
  readonly putsBackward: Statement<{
    readonly sequence: number;
    readonly version: string;
    readonly document: string;
    readonly putBy: string;
    readonly putAt: Date;
    readonly correlationId: string;
  }>;
}>(new URL('./puts.sql', import.meta.url));
