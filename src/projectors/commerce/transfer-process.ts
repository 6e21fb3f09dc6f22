import { ringTransfers } from '../../domains/commerce/tasks.js';
import { readTransferEvent } from '../../domains/commerce/transfer/events.js';
import { turnsOf } from '../../domains/commerce/transfer/process.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

/** Has every transfer that starts driven to its end. */
export function transferProcess(queues: Pick<Queues, 'enqueueMany'>): Projector {
  return {
    name: 'transfer-process',
    eventTypes: new Set(['TransferStarted']),
    async apply(events, tx) {
      const begun = events.map((event) => ({
        transferId: readTransferEvent(event).data.transferId,
        correlationId: event.metadata.correlationId,
      }));
      const turns = await turnsOf(
        tx,
        begun.map(({ transferId }) => transferId),
      );
      // What is not pending is over: in a rebuild most are.
      const started = begun.flatMap((transfer) => {
        const turn = turns.get(transfer.transferId);
        return turn === undefined ? [] : [{ ...transfer, turn }];
      });
      // Noted as pending by the command itself: should the ring be lost, the sweeper comes by.
      return () => ringTransfers(queues, started);
    },
  };
}
