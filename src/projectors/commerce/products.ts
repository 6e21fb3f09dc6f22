import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';

export function products(_wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'products',
    tables: ['products'],
    eventTypes: new Set(),
    apply: () => Promise.reject(new Error('not written yet')),
  };
}
