import { notifiedEventTypes } from '../../domains/commerce/messages.js';
import { messageOutbox } from '../../domains/commerce/tasks.js';
import { causedBy, type Outbox } from '../../platform/outbox/index.js';
import type { Projector } from '../../platform/projector/projector.js';

/** Has users notified of what became of their orders and payments. */
export const orderMessages = (outbox: Pick<Outbox, 'add'>): Projector => ({
  name: 'order-messages',
  eventTypes: notifiedEventTypes,
  apply: (events, tx) =>
    outbox.add(
      tx,
      messageOutbox,
      events.map(({ streamId, streamPosition, metadata }) => ({
        payload: { streamId, streamPosition },
        ...causedBy(metadata),
      })),
    ),
});
