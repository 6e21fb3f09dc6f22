import type { Commerce } from '../domains/commerce/index.js';
import { advanceTransferTask, sweepTransfersTask } from '../domains/commerce/tasks.js';
import { implementTask, type Queues, type TaskHandler } from '../platform/queues.js';

const SWEEP_EVERY_MS = 5_000;
const SWEPT_AT_ONCE = 100;

export function commerceTaskHandlers(deps: {
  readonly commerce: Pick<Commerce, 'advanceTransfer' | 'findAbandonedTransfers'>;
  readonly queues: Pick<Queues, 'enqueueMany'>;
}): TaskHandler<unknown>[] {
  return [
    // A job that fails is not run again: the sweeper takes its transfer up.
    implementTask(advanceTransferTask, ({ transferId }) => deps.commerce.advanceTransfer(transferId)),
    implementTask(sweepTransfersTask, async (_, { correlationId, logger }) => {
      const abandoned = await deps.commerce.findAbandonedTransfers(SWEPT_AT_ONCE);
      if (abandoned.length > 0) logger.warn({ count: abandoned.length }, 'taking up abandoned transfers');
      await deps.queues.enqueueMany(
        advanceTransferTask,
        abandoned.map((transferId) => ({
          payload: { transferId },
          options: { correlationId, doorbell: transferId },
        })),
      );
    }),
  ];
}

export const scheduleCommerceTasks = (queues: Queues): Promise<void> =>
  queues.repeat(sweepTransfersTask, {}, SWEEP_EVERY_MS);
