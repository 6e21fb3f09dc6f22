// Generated from customers.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readCustomer: Statement<{
    readonly customerId: string;
    readonly userId: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly creditLimit: string;
    readonly outstandingBalance: string;
    readonly version: number;
  }>;
  readonly pageCustomers: Statement<{
    readonly customerId: string;
    readonly userId: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly creditLimit: string;
    readonly outstandingBalance: string;
    readonly version: number;
  }>;
  readonly pageCustomersBack: Statement<{
    readonly customerId: string;
    readonly userId: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly creditLimit: string;
    readonly outstandingBalance: string;
    readonly version: number;
  }>;
  readonly pageOwnCustomers: Statement<{
    readonly customerId: string;
    readonly userId: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly creditLimit: string;
    readonly outstandingBalance: string;
    readonly version: number;
  }>;
  readonly pageOwnCustomersBack: Statement<{
    readonly customerId: string;
    readonly userId: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly creditLimit: string;
    readonly outstandingBalance: string;
    readonly version: number;
  }>;
  readonly readStoredCustomers: Statement<{
    readonly customerId: string;
    readonly userId: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
    readonly isActive: boolean;
    readonly creditLimit: string;
    readonly outstandingBalance: string;
    readonly version: number;
    readonly lastEventPosition: number;
  }>;
  readonly writeCustomers: Statement<Record<never, never>>;
}>(new URL('./customers.sql', import.meta.url));
