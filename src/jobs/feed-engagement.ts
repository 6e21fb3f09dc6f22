import { Counter, Gauge, type Registry } from 'prom-client';
import {
  COUNTS_QUEUE,
  type Feed,
  NOTIFY_QUEUE,
  type SendFeedMessage,
  tellOfNoticesTask,
  writeBackCountsTask,
} from '../domains/feed/index.js';
import { implementTask, type Queues, type TaskHandler } from '../platform/queues.js';

/** Feed document, Limits. */
const WRITE_BACK_EVERY_MS = 30_000;
/** What was left by a lost ring, a killed worker or notifications that were away waits so long at most. */
const TELL_EVERY_MS = 5_000;

/** One queue to work, with the code of its tasks. */
interface EngagementQueue {
  readonly queue: string;
  readonly handlers: readonly TaskHandler<unknown>[];
}

/** Both of engagement's queues. A job that fails is not run again: what it was for is in Postgres, and the next one does it. */
export function engagementQueues(deps: {
  readonly feed: Pick<Feed, 'engagement'>;
  readonly sendFeedMessage: SendFeedMessage;
  readonly metrics: Registry;
}): readonly EngagementQueue[] {
  const { engagement } = deps.feed;
  const registers = [deps.metrics];
  const writtenBack = new Counter({
    name: 'feed_counts_written_back_total',
    help: 'Counted reactions, comments and shares that were added to their posts',
    registers,
  });
  const waiting = new Gauge({
    name: 'feed_counts_waiting',
    help: 'Counted reactions, comments and shares that were left after the last write-back, up to 100,000',
    registers,
  });
  return [
    {
      queue: COUNTS_QUEUE,
      handlers: [
        implementTask(writeBackCountsTask, async (_, { signal }) => {
          writtenBack.inc(await engagement.writeBackCounts(signal));
          waiting.set(await engagement.countWaitingDeltas());
        }),
      ],
    },
    {
      queue: NOTIFY_QUEUE,
      handlers: [
        implementTask(tellOfNoticesTask, async (_, { logger, signal }) => {
          await engagement.tellOfNotices(deps.sendFeedMessage, logger, signal);
        }),
      ],
    },
  ];
}

export async function scheduleEngagementTasks(queues: Queues): Promise<void> {
  await queues.repeat(writeBackCountsTask, {}, WRITE_BACK_EVERY_MS);
  await queues.repeat(tellOfNoticesTask, {}, TELL_EVERY_MS);
}
