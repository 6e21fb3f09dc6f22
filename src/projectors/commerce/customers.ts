import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';

export function customers(_wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'customers',
    tables: ['customers'],
    eventTypes: new Set(),
    apply: () => Promise.reject(new Error('not written yet')),
  };
}
