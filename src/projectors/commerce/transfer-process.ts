import { ringTransfers } from '../../domains/commerce/tasks.js';
import { readTransferEvent } from '../../domains/commerce/transfer/events.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

/** Has every transfer that starts driven to its end. */
export function transferProcess(queues: Pick<Queues, 'enqueueMany'>): Projector {
  return {
    name: 'transfer-process',
    eventTypes: new Set(['TransferStarted']),
    async apply(events) {
      const started = events.map((event) => ({
        transferId: readTransferEvent(event).data.transferId,
        correlationId: event.metadata.correlationId,
      }));
      // Noted as pending by the command itself: should the ring be lost, the sweeper comes by.
      return () => ringTransfers(queues, started);
    },
  };
}
