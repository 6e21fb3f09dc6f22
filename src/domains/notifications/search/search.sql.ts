// Generated from search.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly searchDeliveries: Statement<{
    readonly position: number;
    readonly deliveryId: string | null;
    readonly isMatch: boolean;
  }>;
}>(new URL('./search.sql', import.meta.url));
