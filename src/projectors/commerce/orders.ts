import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';

export function orders(_wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'orders',
    tables: ['orders', 'order_customers'],
    eventTypes: new Set(),
    apply: () => Promise.reject(new Error('not written yet')),
  };
}
