import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { App } from '../../../src/context.js';
import type { Benchmark } from '../../harness/benchmark.ts';
import { startChild } from '../../harness/child.ts';
import { cpuFigures, watchCpu } from '../../harness/process-cpu.ts';
import { callerNamed } from '../../harness/product-app.ts';
import { startProduct } from '../../harness/product-process.ts';
import { author, openCrowd } from '../feed-crowd/crowd.ts';
import type { ListenerMethods } from './listeners-process.ts';
import { bytesOf } from './memory.ts';

const roomyRules = fileURLToPath(new URL('../../../rules/start.yaml', import.meta.url));
const toldWithinMs = 1_000;
const patienceMs = 30_000;

/** Open WebSockets on one api process, told of one post by the author whom all of them follow. */
export const subscriptions: Benchmark = {
  name: 'subscriptions',
  summary: '5,000 open feedUpdated on one api process: from the post to the last one told',
  targets: { 'all-told-within-1-s': 1 },
  async run(context) {
    const crowd = await openCrowd(context.quick ? 1_000 : 5_000);
    const at = { databaseUrl: crowd.databaseUrl, redisUrl: crowd.redis.url };
    const listeners = startChild<ListenerMethods>(new URL('./listeners-process.ts', import.meta.url));
    const api = await startProduct('api', { ...at, env: { RATE_LIMIT_RULES: roomyRules } });
    const worker = await startProduct('worker', at);
    const app = await crowd.openApp();
    try {
      const before = await bytesOf(api.pid);
      await listeners.call('open', api.url, crowd.followers);
      await untilAllListen(app, crowd.followers.length);
      const open = await bytesOf(api.pid);
      const tookMs: number[] = [];
      const firstMs: number[] = [];
      const posts = context.quick ? 3 : 6;
      const used = await watchCpu({ api: api.pid, worker: worker.pid, Redis: crowd.redis.pid });
      // The first post finds nothing of its readers remembered.
      for (let n = 0; n < posts; n += 1) {
        const told = listeners.call('untilTold', crowd.followers.length);
        const published = await app.feed.publishPost(callerNamed(author, 'bench'), {
          content: `news of ${performance.now()}`,
          visibility: 'public',
        });
        if (!published.ok) throw new Error(JSON.stringify(published.errors));
        const { first, last, postIds } = await told;
        if (postIds.join() !== published.value.postId) throw new Error(`told of ${postIds.join()}`);
        firstMs.push(first - published.value.createdAt.getTime());
        tookMs.push(last - published.value.createdAt.getTime());
        context.note(`told all ${crowd.followers.length} within ${tookMs.at(-1)} ms`);
      }
      const worst = Math.max(...tookMs);
      return {
        ratios: { 'all-told-within-1-s': toldWithinMs / worst },
        figures: {
          sockets: crowd.followers.length,
          'the last told, worst ms': worst,
          'the last told, best ms': Math.min(...tookMs),
          'the first told, best ms': Math.min(...firstMs),
          ...cpuFigures('post', await used(), posts),
          'bytes a connection': (open - before) / crowd.followers.length,
        },
      };
    } finally {
      await listeners.stop();
      await app.close();
      await Promise.all([api.stop(), worker.stop()]);
      await crowd.stop();
    }
  },
};

/** A socket is open before the server listens for it: the server itself says who listens. */
async function untilAllListen(app: App, count: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((await app.redis.zcard('tidings:feed-online')) < count) {
    if (performance.now() > deadline) throw new Error('not all of them listen');
    await pause(50);
  }
}
