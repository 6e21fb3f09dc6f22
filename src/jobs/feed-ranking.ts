import { z } from 'zod';
import { FAN_OUT_QUEUE, type Feed } from '../domains/feed/index.js';
import { defineTask, implementTask, type Queues, type TaskHandler } from '../platform/queues.js';

const LEARN_EVERY_MS = 10 * 60_000;
const FORGET_EVERY_MS = 60 * 60_000;

const learnRankingTask = defineTask({ name: 'learn-ranking', queue: FAN_OUT_QUEUE, payload: z.object({}) });
/** What is too old to learn from. */
const forgetSignalsTask = defineTask({ name: 'forget-signals', queue: FAN_OUT_QUEUE, payload: z.object({}) });

export function rankingTaskHandlers({ feed }: { feed: Pick<Feed, 'ranking'> }): TaskHandler<unknown>[] {
  return [
    implementTask(learnRankingTask, async (_, job) => {
      const samples = await feed.ranking.learn();
      job.logger.info({ samples }, 'ranking learned from what readers did');
    }),
    implementTask(forgetSignalsTask, () => feed.ranking.forgetSignals()),
  ];
}

export async function scheduleRankingTasks(queues: Queues): Promise<void> {
  await queues.repeat(learnRankingTask, {}, LEARN_EVERY_MS);
  await queues.repeat(forgetSignalsTask, {}, FORGET_EVERY_MS);
}
