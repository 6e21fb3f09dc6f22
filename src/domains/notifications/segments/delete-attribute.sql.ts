// Generated from delete-attribute.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly list: Statement<{
    readonly name: string;
    readonly type: import('./attribute-types.js').AttributeType;
    readonly createdBy: string;
    readonly createdAt: Date;
    readonly deletedAt: Date | null;
  }>;
  readonly markDeleted: Statement<{
    readonly name: string;
  }>;
  readonly nextDeleted: Statement<{
    readonly name: string;
    readonly strippedTo: string;
  }>;
  readonly strip: Statement<{
    readonly looked: number;
    readonly last: string | null;
  }>;
  readonly noteStripped: Statement<Record<never, never>>;
  readonly remove: Statement<Record<never, never>>;
}>(new URL('./delete-attribute.sql', import.meta.url));
