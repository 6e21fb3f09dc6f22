import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Alert } from './alert.js';
import { sql as statements } from './find.sql.js';

/** Past alerts that are shown. */
const RESOLVED_SHOWN = 100;

/** Those that are active, or the last 100 that are not any more; the newest first. */
export async function listAlerts(postgres: Queryable, isActive: boolean): Promise<readonly Alert[]> {
  const { rows } = isActive
    ? await postgres.query(statements.activeAlerts)
    : await postgres.query(statements.resolvedAlerts, [RESOLVED_SHOWN]);
  return rows;
}

export async function findAlerts(
  postgres: Queryable,
  alertIds: readonly string[],
): Promise<readonly Alert[]> {
  return (await postgres.query(statements.alertsById, [alertIds])).rows;
}
