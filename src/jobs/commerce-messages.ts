import { type SendMessage, tellUser } from '../domains/commerce/messages.js';
import { tellUserTask } from '../domains/commerce/tasks.js';
import type { EventLog } from '../platform/event-log/index.js';
import { implementTask, type TaskHandler } from '../platform/queues.js';

/** Tells users of events. A refusal is the end of it; what is thrown fails the job, which is run again. */
export const commerceMessageHandlers = (deps: {
  readonly log: EventLog;
  readonly sendMessage: SendMessage;
}): TaskHandler<unknown>[] => [
  implementTask(tellUserTask, async (event, { logger }) => {
    const told = await tellUser({ log: deps.log, send: deps.sendMessage }, event);
    if (told.ok) return;
    const asWished = told.errors.every(({ code }) => code === 'NOTHING_TO_SEND');
    logger[asWished ? 'info' : 'warn']({ ...event, errors: told.errors }, 'nobody was told of an event');
  }),
];
