import { bind } from '../../../platform/bind.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import type { Alert } from './alert.js';
import { findActive, findAlerts, findResolved } from './find.js';
import { followAlerts } from './follow.js';
import { createHistory } from './history.js';
import { createAlertWatch, type WatchDeps } from './watch.js';

export { type Alert, type AlertSeverity, alertSeverities } from './alert.js';
export type { AlertUpdate } from './follow.js';
export { watchDeadLetters } from './tasks.js';
export type { AlertWatch } from './watch.js';

/** Operational alerts, for admins alone: a caller must have checked that. */
export type Alerts = ReturnType<typeof createAlerts>;

export const createAlerts = (deps: Omit<WatchDeps, 'history'> & { readonly redis: Redis }) => ({
  ...bind(deps.postgres, { list, byId: findAlerts, follow: followAlerts }),
  watch: createAlertWatch({ ...deps, history: createHistory(deps.redis) }),
});

/** Those that are active, or the last 100 that are not any more; the newest first. */
const list = (postgres: Queryable, isActive: boolean): Promise<readonly Alert[]> =>
  isActive ? findActive(postgres) : findResolved(postgres);
