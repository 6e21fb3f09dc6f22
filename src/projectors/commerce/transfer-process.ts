import { advanceTransferTask } from '../../domains/commerce/tasks.js';
import { readTransferEvent } from '../../domains/commerce/transfer/events.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

/** Has every transfer that starts driven to its end. */
export function transferProcess(queues: Queues): Projector {
  return {
    name: 'transfer-process',
    eventTypes: new Set(['TransferStarted']),
    async apply(events) {
      await queues.enqueueMany(
        advanceTransferTask,
        events.map((event) => ({
          payload: { transferId: readTransferEvent(event).data.transferId },
          options: {
            correlationId: event.metadata.correlationId,
            jobId: `transfer-${event.globalPosition}`,
          },
        })),
      );
      return undefined;
    },
  };
}
