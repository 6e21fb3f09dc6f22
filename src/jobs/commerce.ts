import type { Commerce } from '../domains/commerce/index.js';
import { type SendMessage, tellUser } from '../domains/commerce/messages.js';
import { ringMessages, settleMessage, takeUpOverdueMessages } from '../domains/commerce/pending-messages.js';
import {
  advanceTransferTask,
  COMMERCE_MESSAGES_QUEUE,
  COMMERCE_QUEUE,
  ringTransfers,
  tellUserTask,
} from '../domains/commerce/tasks.js';
import type { EventLog } from '../platform/event-log/index.js';
import { createLookBack, type LookBack } from '../platform/look-back.js';
import type { Queryable } from '../platform/postgres.js';
import { implementTask, type JobRun, type Queues, type TaskHandler } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';

const SWEEP_EVERY_MS = 5_000;
const SWEPT_AT_ONCE = 1_000;
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
  readonly postgres: Queryable;
  readonly log: EventLog;
  readonly commerce: Pick<Commerce, 'advanceTransfer'>;
  readonly sendMessage: SendMessage;
}

interface SweepDeps {
  readonly postgres: Queryable;
  readonly commerce: Pick<Commerce, 'takeUpOverdueTransfers'>;
  readonly queues: Pick<Queues, 'enqueueMany'>;
}

/** Both of commerce's queues. A job that fails is not run again: what it was for is pending, and the sweeper takes it up. */
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
        await settleMessage(deps.postgres, event);
      }),
    ],
  },
];

async function sweepTransfers(deps: SweepDeps, { correlationId, logger }: JobRun): Promise<void> {
  const overdue = await deps.commerce.takeUpOverdueTransfers(SWEPT_AT_ONCE);
  if (overdue.length > 0) logger.warn({ count: overdue.length }, 'taking up overdue transfers');
  await ringTransfers(
    deps.queues,
    overdue.map((transfer) => ({ ...transfer, correlationId })),
  );
}

async function sweepMessages(
  deps: SweepDeps & { readonly lookBack: LookBack },
  { logger }: JobRun,
): Promise<void> {
  const overdue = await takeUpOverdueMessages(deps, SWEPT_AT_ONCE);
  if (overdue.length > 0) logger.warn({ count: overdue.length }, 'taking up overdue messages');
  await ringMessages(deps.queues, overdue);
}

/** Takes up transfers and messages that a killed worker, a failed or a lost job left. */
export function commerceSchedules(deps: SweepDeps): readonly ScheduledTask[] {
  const lookBack = createLookBack();
  return [
    {
      name: 'sweep-commerce',
      everyMs: SWEEP_EVERY_MS,
      async run(job) {
        await sweepTransfers(deps, job);
        await sweepMessages({ ...deps, lookBack }, job);
      },
    },
  ];
}
