// Generated from forget-fan-outs.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly forget: Statement<Record<never, never>>;
}>(new URL('./forget-fan-outs.sql', import.meta.url));
