// Generated from accounts.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readAccount: Statement<{
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: 'ACTIVE' | 'CLOSED';
    readonly currency: string;
    readonly version: number;
    readonly recent: readonly { date: string; desc: string; change: string }[];
    readonly balance: string;
  }>;
  readonly pageAccounts: Statement<{
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: 'ACTIVE' | 'CLOSED';
    readonly currency: string;
    readonly version: number;
    readonly recent: readonly { date: string; desc: string; change: string }[];
    readonly balance: string;
  }>;
  readonly pageAccountsBack: Statement<{
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: 'ACTIVE' | 'CLOSED';
    readonly currency: string;
    readonly version: number;
    readonly recent: readonly { date: string; desc: string; change: string }[];
    readonly balance: string;
  }>;
  readonly pageOwnAccounts: Statement<{
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: 'ACTIVE' | 'CLOSED';
    readonly currency: string;
    readonly version: number;
    readonly recent: readonly { date: string; desc: string; change: string }[];
    readonly balance: string;
  }>;
  readonly pageOwnAccountsBack: Statement<{
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: 'ACTIVE' | 'CLOSED';
    readonly currency: string;
    readonly version: number;
    readonly recent: readonly { date: string; desc: string; change: string }[];
    readonly balance: string;
  }>;
  readonly readAccountVersion: Statement<{
    readonly version: number;
  }>;
  readonly readAccountAt: Statement<{
    readonly accountId: string;
    readonly ownerId: string;
    readonly status: 'ACTIVE' | 'CLOSED';
    readonly currency: string;
    readonly version: number;
    readonly recent: readonly { date: string; desc: string; change: string }[];
    readonly balance: string;
  }>;
}>(new URL('./accounts.sql', import.meta.url));
