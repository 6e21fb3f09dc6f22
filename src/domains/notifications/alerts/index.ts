import type { Redis } from '../../../platform/redis.js';
import type { WakeUpHub } from '../../../platform/wake-ups.js';
import type { Alert } from './alert.js';
import { findActive, findAlerts, findResolved } from './find.js';
import { type AlertUpdate, followAlerts } from './follow.js';
import { createHistory } from './history.js';
import { type AlertWatch, createAlertWatch, type WatchDeps } from './watch.js';

export { type Alert, type AlertSeverity, alertSeverities } from './alert.js';
export type { AlertUpdate } from './follow.js';
export { watchDeadLetters } from './tasks.js';
export type { AlertWatch } from './watch.js';

/** Operational alerts, for admins alone: whoever asks must have checked that. */
export interface Alerts {
  /** Those that are active, or the last 100 that are not any more; the newest first. */
  list(isActive: boolean): Promise<readonly Alert[]>;
  byId(alertIds: readonly string[]): Promise<readonly Alert[]>;
  /** See `followAlerts`. */
  follow(
    hub: Pick<WakeUpHub, 'listen'>,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<AlertUpdate>;
  readonly watch: AlertWatch;
}

export function createAlerts(deps: Omit<WatchDeps, 'history'> & { readonly redis: Redis }): Alerts {
  const { postgres } = deps;
  return {
    list: (isActive) => (isActive ? findActive(postgres) : findResolved(postgres)),
    byId: (alertIds) => findAlerts(postgres, alertIds),
    follow: (hub, after, signal) => followAlerts({ postgres, hub }, after, signal),
    watch: createAlertWatch({ ...deps, history: createHistory(deps.redis) }),
  };
}
