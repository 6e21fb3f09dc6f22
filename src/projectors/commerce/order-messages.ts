import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

export function orderMessages(_queues: Queues): Projector {
  return {
    name: 'order-messages',
    eventTypes: new Set(),
    apply: () => Promise.reject(new Error('not written yet')),
  };
}
