// Generated from transfers.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly readTransfer: Statement<{
    readonly transferId: string;
    readonly fromAccountId: string;
    readonly toAccountId: string;
    readonly ownerId: string;
    readonly amount: string;
    readonly currency: string;
    readonly description: string | null;
    readonly status: import('./transfer.js').TransferStatus;
    readonly reason: string | null;
    readonly version: number;
  }>;
  readonly writeTransfers: Statement<{
    readonly transferId: string;
    readonly version: number;
  }>;
}>(new URL('./transfers.sql', import.meta.url));
