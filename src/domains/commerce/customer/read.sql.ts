// Generated from read.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres.js';

export const sql = loadStatements<{
  readonly readCustomer: Statement<{
    readonly customer_id: string;
    readonly user_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly is_active: boolean;
    readonly credit_limit: string;
    readonly outstanding: string;
    readonly version: number;
  }>;
  readonly pageCustomers: Statement<{
    readonly customer_id: string;
    readonly user_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly is_active: boolean;
    readonly credit_limit: string;
    readonly outstanding: string;
    readonly version: number;
  }>;
  readonly pageCustomersBack: Statement<{
    readonly customer_id: string;
    readonly user_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly is_active: boolean;
    readonly credit_limit: string;
    readonly outstanding: string;
    readonly version: number;
  }>;
  readonly pageOwnCustomers: Statement<{
    readonly customer_id: string;
    readonly user_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly is_active: boolean;
    readonly credit_limit: string;
    readonly outstanding: string;
    readonly version: number;
  }>;
  readonly pageOwnCustomersBack: Statement<{
    readonly customer_id: string;
    readonly user_id: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly email: string;
    readonly is_active: boolean;
    readonly credit_limit: string;
    readonly outstanding: string;
    readonly version: number;
  }>;
}>(new URL('./read.sql', import.meta.url));
