import type { RowOf } from '../../../platform/postgres/postgres.js';
import type { sql as statements } from './find.sql.js';

export const alertSeverities = ['WARNING', 'CRITICAL'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/**
 * Something that an operator should look at. At most one of a name (which rule, see `rules`) and scope (what it is about: a channel,
 * or empty) is active; `resolvedAt` is null while it is. `value` and `threshold` are as they were when it was raised. `change` is the
 * number of its last change, be it raised or resolved: rising in commit order over all alerts.
 */
export type Alert = RowOf<typeof statements.alertsById>;
