// Generated from attribute-store.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly allTypes: Statement<{
    readonly name: string;
    readonly type: import('./attribute-types.js').AttributeType;
  }>;
  readonly typesOf: Statement<{
    readonly name: string;
    readonly type: import('./attribute-types.js').AttributeType;
    readonly isBeingDeleted: boolean;
  }>;
  readonly lockTypes: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly countTypes: Statement<{
    readonly all: number;
    readonly own: number;
  }>;
  readonly addTypes: Statement<Record<never, never>>;
  readonly addUsers: Statement<Record<never, never>>;
  readonly lockUsers: Statement<{
    readonly userId: string;
    readonly attributes: import('./attributes.js').StoredAttributes;
  }>;
  readonly putAttributes: Statement<Record<never, never>>;
  readonly attributesOf: Statement<{
    readonly attributes: import('./attributes.js').StoredAttributes;
  }>;
}>(new URL('./attribute-store.sql', import.meta.url));
