import type { Commerce } from '../domains/commerce/index.js';
import { notifyUser, type SendMessage } from '../domains/commerce/messages.js';
import { advanceTransferTask, messageOutbox, notifyUserTask } from '../domains/commerce/tasks.js';
import { transferOutbox } from '../domains/commerce/transfer/pending.js';
import type { EventLog } from '../platform/event-log/index.js';
import { type Outbox, sweepOutbox } from '../platform/outbox/index.js';
import { defineJob, type Job } from '../platform/queues/jobs.js';

/** Transfers from one account wait for each other: more than a few, so that others get past them. */
const TRANSFERS_AT_ONCE = 16;
const MESSAGES_AT_ONCE = 8;

interface Deps {
  readonly log: EventLog;
  readonly commerce: Pick<Commerce, 'advanceTransfer'>;
  readonly sendMessage: SendMessage;
  readonly outbox: Outbox;
}

/** A job that fails is not run again: its entry in the outbox is taken up when it is due. */
export const commerceJobs = (deps: Deps): readonly Job[] => [
  defineJob({
    task: advanceTransferTask,
    concurrency: TRANSFERS_AT_ONCE,
    run: ({ transferId }) => deps.commerce.advanceTransfer(transferId),
  }),
  sweepOutbox(deps.outbox, transferOutbox),
  defineJob({
    task: notifyUserTask,
    concurrency: MESSAGES_AT_ONCE,
    async run(event, { logger }) {
      const sent = await notifyUser({ log: deps.log, send: deps.sendMessage }, event);
      if (!sent.ok) {
        const asWished = sent.errors.every(({ code }) => code === 'NOTHING_TO_SEND');
        logger[asWished ? 'info' : 'warn'](
          { ...event, errors: sent.errors },
          'nobody was notified of an event',
        );
      }
      // A refusal is the end of it too.
      await deps.outbox.complete(messageOutbox, [event]);
    },
  }),
  sweepOutbox(deps.outbox, messageOutbox),
];
