import { toldEventTypes } from '../../domains/commerce/messages.js';
import { tellUserTask } from '../../domains/commerce/tasks.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { Queues } from '../../platform/queues.js';

/** About nine hours, each pause twice the one before. */
const RETRIES = 15;

/** Has users told what became of their orders and payments. */
export function orderMessages(queues: Pick<Queues, 'enqueueMany'>): Projector {
  return {
    name: 'order-messages',
    eventTypes: toldEventTypes,
    async apply(events) {
      await queues.enqueueMany(
        tellUserTask,
        events.map(({ streamId, streamPosition, globalPosition, metadata }) => ({
          payload: { streamId, streamPosition },
          options: {
            correlationId: metadata.correlationId,
            jobId: `tell-user-${globalPosition}`,
            retries: RETRIES,
          },
        })),
      );
      return undefined;
    },
  };
}
