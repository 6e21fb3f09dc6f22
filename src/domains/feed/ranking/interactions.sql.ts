// Generated from interactions.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly noteInteractions: Statement<{
    readonly noted: number;
  }>;
  readonly closest: Statement<{
    readonly user_id: string;
    readonly score: number;
  }>;
  readonly forgetSignals: Statement<Record<never, never>>;
  readonly forgetAffinities: Statement<Record<never, never>>;
}>(new URL('./interactions.sql', import.meta.url));
