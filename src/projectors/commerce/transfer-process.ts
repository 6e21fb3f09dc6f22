import { readTransferEvent } from '../../domains/commerce/transfer/events.js';
import { transferOutbox } from '../../domains/commerce/transfer/pending.js';
import { causedBy, type Outbox } from '../../platform/outbox/index.js';
import type { Projector } from '../../platform/projector/projector.js';

/** Has every transfer that starts driven to its end: the command itself added it to the outbox. */
export const transferProcess = (outbox: Pick<Outbox, 'enqueue'>): Projector => ({
  name: 'transfer-process',
  eventTypes: new Set(['TransferStarted']),
  async apply(events) {
    const started = events.map((event) => ({
      payload: { transferId: readTransferEvent(event).data.transferId },
      ...causedBy(event.metadata),
    }));
    return () => outbox.enqueue(transferOutbox, started);
  },
});
