// Generated from pages.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly ofUserForward: Statement<{
    readonly deliveryId: string;
  }>;
  readonly ofUserBackward: Statement<{
    readonly deliveryId: string;
  }>;
  readonly ofRequestForward: Statement<{
    readonly deliveryId: string;
  }>;
  readonly ofRequestBackward: Statement<{
    readonly deliveryId: string;
  }>;
}>(new URL('./pages.sql', import.meta.url));
