// Generated from find.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly activeAlerts: Statement<{
    readonly alertId: string;
    readonly name: string;
    readonly scope: string;
    readonly severity: import('./alert.js').AlertSeverity;
    readonly message: string;
    readonly value: number;
    readonly threshold: number;
    readonly raisedAt: Date;
    readonly resolvedAt: Date | null;
    readonly change: number;
  }>;
  readonly resolvedAlerts: Statement<{
    readonly alertId: string;
    readonly name: string;
    readonly scope: string;
    readonly severity: import('./alert.js').AlertSeverity;
    readonly message: string;
    readonly value: number;
    readonly threshold: number;
    readonly raisedAt: Date;
    readonly resolvedAt: Date | null;
    readonly change: number;
  }>;
  readonly alertsById: Statement<{
    readonly alertId: string;
    readonly name: string;
    readonly scope: string;
    readonly severity: import('./alert.js').AlertSeverity;
    readonly message: string;
    readonly value: number;
    readonly threshold: number;
    readonly raisedAt: Date;
    readonly resolvedAt: Date | null;
    readonly change: number;
  }>;
  readonly alertsChangedAfter: Statement<{
    readonly alertId: string;
    readonly name: string;
    readonly scope: string;
    readonly severity: import('./alert.js').AlertSeverity;
    readonly message: string;
    readonly value: number;
    readonly threshold: number;
    readonly raisedAt: Date;
    readonly resolvedAt: Date | null;
    readonly change: number;
  }>;
  readonly newestChange: Statement<{
    readonly change: number;
  }>;
}>(new URL('./find.sql', import.meta.url));
