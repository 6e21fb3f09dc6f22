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
import { bytesOf, mostOpenFiles } from './memory.ts';

const roomyRules = fileURLToPath(new URL('../../../rules/start.yaml', import.meta.url));
const toldWithinMs = 1_000;
const patienceMs = 180_000;
const mostSockets = 20_000;
/** More than what one process of clients could do beside the others in a second. */
const processes = 4;
/** What the api process has open besides its sockets. */
const otherFiles = 300;
const mostBytesASocket = 12 * 1024;
/** Until V8 has given back what opening the sockets took. */
const quietMs = 15_000;

/** Open WebSockets on one api process, told of one post by the author whom all of them follow. */
export const subscriptions: Benchmark = {
  name: 'subscriptions',
  summary:
    '20,000 open feedUpdated on one api process: memory of each, and from the post to the last one told',
  targets: { 'all-told-within-1-s': 1, 'a-socket-within-12-kb': 1 },
  async run(context) {
    const count = context.quick ? 1_000 : Math.min(mostSockets, (await mostOpenFiles()) - otherFiles);
    if (!context.quick && count < mostSockets)
      context.note(`${count} sockets: this machine's limit of open files allows no more`);
    const crowd = await openCrowd(count);
    const at = { databaseUrl: crowd.databaseUrl, redisUrl: crowd.redis.url };
    const listeners = Array.from({ length: processes }, () =>
      startChild<ListenerMethods>(new URL('./listeners-process.ts', import.meta.url)),
    );
    const parts = listeners.map((_, n) => crowd.followers.filter((_, index) => index % processes === n));
    const api = await startProduct('api', { ...at, env: { RATE_LIMIT_RULES: roomyRules } });
    // Posts of celebrities are pulled, and nobody is notified of them.
    const worker = await startProduct('worker', {
      ...at,
      env: { FEED_CELEBRITY_FOLLOWERS: String(2 * mostSockets) },
    });
    const app = await crowd.openApp();
    try {
      const before = await bytesOf(api.pid);
      await Promise.all(listeners.map((one, n) => one.call('open', api.url, parts[n]!, `127.0.0.${n + 2}`)));
      await untilAllListen(app, crowd.followers.length);
      await pause(quietMs);
      const open = await bytesOf(api.pid);
      const tookMs: number[] = [];
      const firstMs: number[] = [];
      const posts = context.quick ? 3 : 6;
      const used = await watchCpu({ api: api.pid, worker: worker.pid, Redis: crowd.redis.pid });
      // The first post finds nothing of its readers remembered.
      for (let n = 0; n < posts; n += 1) {
        const told = Promise.all(listeners.map((one, n) => one.call('untilTold', parts[n]!.length)));
        const post = { content: `news of ${performance.now()}`, visibility: 'public' as const };
        const [published, ofAll] = await Promise.all([
          app.feed.publishPost(callerNamed(author, 'bench'), post),
          inPatience(told),
        ]);
        if (!published.ok) throw new Error(JSON.stringify(published.errors));
        const first = Math.min(...ofAll.map((one) => one.first));
        const last = Math.max(...ofAll.map((one) => one.last));
        const postIds = [...new Set(ofAll.flatMap((one) => one.postIds))];
        if (postIds.join() !== published.value.postId) throw new Error(`told of ${postIds.join()}`);
        firstMs.push(first - published.value.createdAt.getTime());
        tookMs.push(last - published.value.createdAt.getTime());
        context.note(`told all ${crowd.followers.length} within ${tookMs.at(-1)} ms`);
      }
      const worst = Math.max(...tookMs);
      const bytesASocket = (open - before) / crowd.followers.length;
      return {
        ratios: {
          'all-told-within-1-s': toldWithinMs / worst,
          'a-socket-within-12-kb': mostBytesASocket / bytesASocket,
        },
        figures: {
          sockets: crowd.followers.length,
          'the last told, worst ms': worst,
          'the last told, best ms': Math.min(...tookMs),
          'the first told, best ms': Math.min(...firstMs),
          ...cpuFigures('post', await used(), posts),
          'bytes a connection': bytesASocket,
        },
      };
    } finally {
      await Promise.all(listeners.map((one) => one.stop()));
      await app.close();
      await Promise.all([api.stop(), worker.stop()]);
      await crowd.stop();
    }
  },
};

/** @throws where not all of them are told */
const inPatience = <T>(told: Promise<T>): Promise<T> =>
  Promise.race([
    told,
    pause(patienceMs, undefined, { ref: false }).then(() => {
      throw new Error('not all of them were told');
    }),
  ]);

/** A socket is open before the server listens for it: the server itself says who listens. */
async function untilAllListen(app: App, count: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((await app.redis.zcard('tidings:feed-online')) < count) {
    if (performance.now() > deadline) throw new Error('not all of them listen');
    await pause(50);
  }
}
