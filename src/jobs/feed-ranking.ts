import type { Feed } from '../domains/feed/index.js';
import type { ScheduledTask } from '../platform/schedules.js';

const LEARN_EVERY_MS = 10 * 60_000;
const FORGET_EVERY_MS = 60_000;

export const rankingJobs = ({ feed }: { feed: Pick<Feed, 'ranking'> }): readonly ScheduledTask[] => [
  {
    name: 'learn-ranking',
    everyMs: LEARN_EVERY_MS,
    async run(job) {
      const samples = await feed.ranking.learn();
      job.logger.info({ samples }, 'ranking learned from what readers did');
    },
  },
  // Signals that are too old to learn from.
  { name: 'forget-signals', everyMs: FORGET_EVERY_MS, run: () => feed.ranking.forgetSignals() },
  {
    // Of readers who have not interacted with an author for so long that it does not count any more.
    name: 'forget-affinities',
    everyMs: FORGET_EVERY_MS,
    async run() {
      await feed.ranking.forgetAffinities();
    },
  },
];
