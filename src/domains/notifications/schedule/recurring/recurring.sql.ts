// Generated from recurring.sql by `npm run sql:types`: do not edit.
import { loadStatements, type Statement } from '../../../../platform/postgres/postgres.js';

export const sql = loadStatements<{
  readonly lockProducer: Statement<{
    readonly pg_advisory_xact_lock: string | null;
  }>;
  readonly create: Statement<{
    readonly seriesId: string;
  }>;
  readonly lock: Statement<{
    readonly seriesId: string;
    readonly producer: string;
    readonly scheduleId: string;
    readonly rrule: string;
    readonly timezone: string | null;
    readonly startsAt: Date;
    readonly request: import('./schedules.js').Repeated;
    readonly status: import('./schedules.js').ScheduleStatus;
    readonly nextAt: Date | null;
    readonly dueAt: Date | null;
    readonly occurrences: number;
    readonly lastNotificationId: string | null;
    readonly lastError: string | null;
    readonly correlationId: string;
    readonly createdAt: Date;
    readonly bodyHash: Buffer;
  }>;
  readonly byIds: Statement<{
    readonly seriesId: string;
    readonly producer: string;
    readonly scheduleId: string;
    readonly rrule: string;
    readonly timezone: string | null;
    readonly startsAt: Date;
    readonly request: import('./schedules.js').Repeated;
    readonly status: import('./schedules.js').ScheduleStatus;
    readonly nextAt: Date | null;
    readonly dueAt: Date | null;
    readonly occurrences: number;
    readonly lastNotificationId: string | null;
    readonly lastError: string | null;
    readonly correlationId: string;
    readonly createdAt: Date;
    readonly bodyHash: Buffer;
  }>;
  readonly named: Statement<{
    readonly seriesId: string;
  }>;
  readonly pageForward: Statement<{
    readonly seriesId: string;
  }>;
  readonly pageBackward: Statement<{
    readonly seriesId: string;
  }>;
  readonly pageOfAllForward: Statement<{
    readonly seriesId: string;
  }>;
  readonly pageOfAllBackward: Statement<{
    readonly seriesId: string;
  }>;
  readonly takeDue: Statement<{
    readonly seriesId: string;
    readonly producer: string;
    readonly scheduleId: string;
    readonly rrule: string;
    readonly timezone: string | null;
    readonly startsAt: Date;
    readonly request: import('./schedules.js').Repeated;
    readonly status: import('./schedules.js').ScheduleStatus;
    readonly nextAt: Date | null;
    readonly dueAt: Date | null;
    readonly occurrences: number;
    readonly lastNotificationId: string | null;
    readonly lastError: string | null;
    readonly correlationId: string;
    readonly createdAt: Date;
    readonly bodyHash: Buffer;
  }>;
  readonly change: Statement<Record<never, never>>;
  readonly putOff: Statement<Record<never, never>>;
  readonly forget: Statement<Record<never, never>>;
}>(new URL('./recurring.sql', import.meta.url));
