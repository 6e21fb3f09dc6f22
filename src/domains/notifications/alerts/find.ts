import type { Queryable } from '../../../platform/postgres.js';
import type { Alert } from './alert.js';
import { sql as statements } from './find.sql.js';

/** Past alerts that are shown. */
const RESOLVED_SHOWN = 100;

export async function findActive(postgres: Queryable): Promise<readonly Alert[]> {
  return (await postgres.query(statements.activeAlerts)).rows;
}

export async function findResolved(postgres: Queryable): Promise<readonly Alert[]> {
  return (await postgres.query(statements.resolvedAlerts, [RESOLVED_SHOWN])).rows;
}

export async function findAlerts(
  postgres: Queryable,
  alertIds: readonly string[],
): Promise<readonly Alert[]> {
  return (await postgres.query(statements.alertsById, [alertIds])).rows;
}

/** Each alert that changed after a change, as it is now, in order of its last change. */
export async function findChangedAfter(
  postgres: Queryable,
  change: number,
  limit: number,
): Promise<readonly Alert[]> {
  return (await postgres.query(statements.alertsChangedAfter, [change, limit])).rows;
}

export async function newestChange(postgres: Queryable): Promise<number> {
  return (await postgres.query(statements.newestChange)).rows[0]!.change;
}
