// Generated from missed-writes.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly record: Statement<Record<never, never>>;
  readonly look: Statement<{
    readonly snapshot: string;
    readonly hasUnapplied: boolean;
    readonly epoch: string | null;
    readonly life: string | null;
    readonly uses: number | null;
    readonly acceptedMs: number | null;
    readonly recent: readonly import('./missed-writes.js').RecentRow[];
  }>;
  readonly unapplied: Statement<{
    readonly life: string | null;
    readonly rows: readonly (readonly [xid: string, id: number, keys: readonly string[]])[];
  }>;
  readonly markApplied: Statement<Record<never, never>>;
  readonly forget: Statement<Record<never, never>>;
  readonly acceptEpoch: Statement<Record<never, never>>;
  readonly noteUse: Statement<{
    readonly nextval: number | null;
  }>;
}>(new URL('./missed-writes.sql', import.meta.url));
