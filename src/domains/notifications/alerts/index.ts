import { bind } from '../../../platform/bind.js';
import { findAlerts, listAlerts } from './find.js';
import { followAlerts } from './follow.js';
import { raise, resolve } from './report.js';
import { askAboutDeadLetters, look, lookAtDeadLetters, type WatchDeps } from './watch.js';

export { type Alert, alertSeverities } from './alert.js';
export type { AlertUpdate } from './follow.js';
export { watchDeadLetters } from './watch.js';

/** Operational alerts, for admins alone: a caller must have checked that. */
export type Alerts = ReturnType<typeof createAlerts>;

export const createAlerts = (deps: WatchDeps) => ({
  ...bind(deps.postgres, { list: listAlerts, byId: findAlerts, follow: followAlerts }),
  /** Alerts that no rule raises. */
  report: bind(deps, { raise, resolve }),
  watch: bind(deps, { look, lookAtDeadLetters, askAboutDeadLetters }),
});
