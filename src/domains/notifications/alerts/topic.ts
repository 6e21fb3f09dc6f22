import type { WakeUpPublisher } from '../../../platform/wake-ups.js';

/** Woken whenever an alert was raised or resolved. */
export const ALERTS_TOPIC = 'notification-alerts';

/** Wakes whoever follows alerts. */
export const publishAlerts = (wakeUps: WakeUpPublisher): Promise<void> =>
  wakeUps.publish([{ topics: [ALERTS_TOPIC], payload: {} }]);
