import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

export function transferProcess(_queues: Queues): Projector {
  return {
    name: 'transfer-process',
    eventTypes: new Set(),
    apply: () => Promise.reject(new Error('not written yet')),
  };
}
