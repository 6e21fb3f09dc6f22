import type { WakeUpPublisher } from '../../../platform/wake-ups.js';

/** Woken whenever an alert was raised or resolved. */
export const ALERTS_TOPIC = 'notification-alerts';

/** Wakes the subscribers of alerts. */
export const publishAlerts = (wakeUps: WakeUpPublisher): Promise<void> =>
  wakeUps.publish([{ topics: [ALERTS_TOPIC], payload: {} }]);
