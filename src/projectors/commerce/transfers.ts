import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';

export function transfers(_wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'transfers',
    tables: ['transfers'],
    eventTypes: new Set(),
    apply: () => Promise.reject(new Error('not written yet')),
  };
}
