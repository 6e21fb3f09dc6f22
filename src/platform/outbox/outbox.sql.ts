// Generated from outbox.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../postgres/postgres.js';

export const sql = loadStatements<{
  readonly add: Statement<Record<never, never>>;
  readonly claim: Statement<{
    readonly key: string;
    readonly payload: unknown;
    readonly correlationId: string;
    readonly traceparent: string | null;
    readonly attempts: number;
  }>;
  readonly release: Statement<Record<never, never>>;
  readonly complete: Statement<Record<never, never>>;
}>(new URL('./outbox.sql', import.meta.url));
