import { toldEventTypes } from '../../domains/commerce/messages.js';
import { noteMessages, ringMessages } from '../../domains/commerce/pending-messages.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

/** Has users told what became of their orders and payments. */
export function orderMessages(queues: Pick<Queues, 'enqueueMany'>): Projector {
  return {
    name: 'order-messages',
    eventTypes: toldEventTypes,
    async apply(events, tx) {
      const messages = await noteMessages(tx, events);
      return () => ringMessages(queues, messages);
    },
  };
}
