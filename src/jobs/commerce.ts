import type { Commerce } from '../domains/commerce/index.js';
import { type SendMessage, tellUser } from '../domains/commerce/messages.js';
import {
  advanceTransferTask,
  COMMERCE_MESSAGES_QUEUE,
  COMMERCE_QUEUE,
  messageOutbox,
  tellUserTask,
} from '../domains/commerce/tasks.js';
import { transferOutbox } from '../domains/commerce/transfer/pending.js';
import type { EventLog } from '../platform/event-log/index.js';
import { type Outbox, sweepOutbox } from '../platform/outbox/index.js';
import { implementTask, type TaskHandler } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';

/** Transfers from one account wait for each other: more than a few, so that others get past them. */
const TRANSFERS_AT_ONCE = 16;
const MESSAGES_AT_ONCE = 8;

/** One queue to work, with the code of its tasks. */
interface CommerceQueue {
  readonly queue: string;
  readonly handlers: readonly TaskHandler<unknown>[];
  /** Jobs at once in one process. */
  readonly concurrency: number;
}

interface Deps {
  readonly log: EventLog;
  readonly commerce: Pick<Commerce, 'advanceTransfer'>;
  readonly sendMessage: SendMessage;
  readonly outbox: Pick<Outbox, 'complete'>;
}

/** Both of commerce's queues. A job that fails is not run again: its entry in the outbox is taken up when it is due. */
export const commerceQueues = (deps: Deps): readonly CommerceQueue[] => [
  {
    queue: COMMERCE_QUEUE,
    concurrency: TRANSFERS_AT_ONCE,
    handlers: [
      implementTask(advanceTransferTask, ({ transferId }) => deps.commerce.advanceTransfer(transferId)),
    ],
  },
  {
    queue: COMMERCE_MESSAGES_QUEUE,
    concurrency: MESSAGES_AT_ONCE,
    handlers: [
      implementTask(tellUserTask, async (event, { logger }) => {
        const told = await tellUser({ log: deps.log, send: deps.sendMessage }, event);
        if (!told.ok) {
          const asWished = told.errors.every(({ code }) => code === 'NOTHING_TO_SEND');
          logger[asWished ? 'info' : 'warn'](
            { ...event, errors: told.errors },
            'nobody was told of an event',
          );
        }
        // A refusal is the end of it too.
        await deps.outbox.complete(messageOutbox, [event]);
      }),
    ],
  },
];

export const commerceSchedules = ({ outbox }: { readonly outbox: Outbox }): readonly ScheduledTask[] => [
  sweepOutbox(outbox, transferOutbox),
  sweepOutbox(outbox, messageOutbox),
];
