import { z } from 'zod';
import { FAN_OUT_QUEUE, type Feed, fanOutTask, ringFanOuts } from '../domains/feed/index.js';
import { defineTask, implementTask, type Queues, type TaskHandler } from '../platform/queues.js';
import { postTaskHandlers, schedulePostTasks } from './feed-posts.js';
import { rankingTaskHandlers, scheduleRankingTasks } from './feed-ranking.js';

const SWEEP_EVERY_MS = 5_000;
const SETTLE_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 3_600_000;

/** Takes up what a killed worker or a lost job left. */
const sweepFanOutsTask = defineTask({ name: 'sweep-fan-outs', queue: FAN_OUT_QUEUE, payload: z.object({}) });

/** Nobody asks what became of them any more. */
const forgetFanOutsTask = defineTask({
  name: 'forget-fan-outs',
  queue: FAN_OUT_QUEUE,
  payload: z.object({}),
});

/** Gives and takes the status of a celebrity. */
const settleCelebritiesTask = defineTask({
  name: 'settle-celebrities',
  queue: FAN_OUT_QUEUE,
  payload: z.object({}),
});

export function feedTaskHandlers(deps: { feed: Feed; queues: Queues }): TaskHandler<unknown>[] {
  return [
    ...postTaskHandlers(deps),
    ...rankingTaskHandlers(deps),
    implementTask(fanOutTask, async ({ authorId }, { correlationId, logger }) => {
      const { more } = await deps.feed.runFanOuts(authorId, logger);
      if (more) await ringFanOuts(deps.queues, [{ authorId, correlationId }]);
    }),
    implementTask(sweepFanOutsTask, async (_, job) => {
      const abandoned = await deps.feed.findAbandonedFanOuts();
      if (abandoned.length > 0) job.logger.warn({ count: abandoned.length }, 'taking up abandoned fan-outs');
      await ringFanOuts(
        deps.queues,
        abandoned.map((authorId) => ({ authorId, correlationId: job.correlationId })),
      );
    }),
    implementTask(forgetFanOutsTask, async () => {
      await deps.feed.forgetFanOuts();
    }),
    implementTask(settleCelebritiesTask, async (_, job) => {
      const changed = await deps.feed.settleCelebrities();
      if (changed.length > 0) job.logger.info({ changed }, 'who is a celebrity changed');
    }),
  ];
}

export async function scheduleFeedTasks(queues: Queues): Promise<void> {
  await schedulePostTasks(queues);
  await scheduleRankingTasks(queues);
  await queues.repeat(sweepFanOutsTask, {}, SWEEP_EVERY_MS);
  await queues.repeat(forgetFanOutsTask, {}, FORGET_EVERY_MS);
  await queues.repeat(settleCelebritiesTask, {}, SETTLE_EVERY_MS);
}
