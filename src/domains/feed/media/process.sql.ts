// Generated from process.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly claim: Statement<{
    readonly media_id: string;
    readonly owner_id: string;
    readonly kind: import('../types.js').Media['kind'];
    readonly content_type: string;
    readonly storage_key: string;
    readonly failure_reason: import('./derive.js').FailureReason | null;
    readonly attempts: number;
  }>;
  readonly touch: Statement<Record<never, never>>;
  readonly release: Statement<Record<never, never>>;
  readonly settle: Statement<Record<never, never>>;
}>(new URL('./process.sql', import.meta.url));
