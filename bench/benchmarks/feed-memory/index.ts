import type { Benchmark } from '../../harness/benchmark.ts';
import { openCrowd } from '../feed-crowd/crowd.ts';
import { bytesOfFeed } from '../feed-crowd/feeds.ts';

const mostBytes = 8_500;

/** What a full feed takes of Redis, as the product starts it. */
export const feedMemory: Benchmark = {
  name: 'feed.memory',
  summary: "bytes of one reader's feed of 500 posts in Redis",
  targets: { 'within-8.5-KB': 1 },
  async run() {
    const crowd = await openCrowd(1);
    const app = await crowd.openApp();
    try {
      const bytes = await bytesOfFeed(app.feed.cache, crowd.redis.url);
      return { ratios: { 'within-8.5-KB': mostBytes / bytes }, figures: { 'bytes a feed': bytes } };
    } finally {
      await app.close();
      await crowd.stop();
    }
  },
};
