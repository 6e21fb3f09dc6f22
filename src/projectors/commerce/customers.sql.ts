// Generated from customers.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readCustomers: Statement<{
    readonly customer_id: string;
    readonly user_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly is_active: boolean;
    readonly credit_limit: string;
    readonly outstanding: string;
    readonly version: number;
    readonly last_event_position: number;
  }>;
  readonly writeCustomers: Statement<Record<never, never>>;
}>(new URL('./customers.sql', import.meta.url));
