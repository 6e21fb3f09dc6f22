import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../../src/context.js';
import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type CpuSeconds, cpuFigures, watchCpu } from '../../harness/process-cpu.ts';
import { loadProduct } from '../../harness/product.ts';
import { callerNamed } from '../../harness/product-app.ts';
import { startProduct } from '../../harness/product-process.ts';
import { type Contestant, median, medianOfEach, ratiosOver } from '../../harness/rounds.ts';
import { author, type Crowd, openCrowd } from '../feed-crowd/crowd.ts';
import { verifyArrived, warmAll } from '../feed-crowd/feeds.ts';

const ours = 'tidings';
const peer = 'bare-loop';
const everywhereWithinMs = 300;
const patienceMs = 30_000;
/** A worker that has just started compiles: its first fan-outs take twice as long as those of one that has run for a minute. */
const uncounted = 10;

/** An author with 9,999 warm followers, one fewer than a celebrity's. */
export const feedFanout: Benchmark = {
  name: 'feed.fanout',
  summary: 'one post into 9,999 full feeds: tidings, and a bare loop of the same script',
  targets: { [peer]: 0.9, 'everywhere-within-300-ms': 1 },
  async run(context) {
    const crowd = await openCrowd(context.quick ? 2_999 : 9_999);
    const app = await crowd.openApp();
    try {
      context.note(`filling ${crowd.followers.length} feeds`);
      await warmAll(app.feed.cache, crowd.redis.url, crowd.followers);
      return await race(context, crowd, app);
    } finally {
      await app.close();
      await crowd.stop();
    }
  },
};

interface Sample {
  readonly ms: number;
  /** Of everybody who takes part; true also where the machine has more to do. */
  readonly cpu: CpuSeconds;
}

async function race(context: BenchContext, crowd: Crowd, app: App): Promise<Outcome> {
  const contestants = [fanOutHere(crowd, app), bareLoop(crowd, app)];
  for (let n = 0; n < (context.quick ? 1 : uncounted); n += 1)
    for (const contestant of contestants) await contestant.measure();
  const samples = await context.rounds(
    contestants,
    (name, { ms }) => context.note(`${name}: ${ms.toFixed(0)} ms`),
    5,
  );
  const worker = await startProduct('worker', { databaseUrl: crowd.databaseUrl, redisUrl: crowd.redis.url });
  try {
    const whole: number[] = [];
    for (let n = 0; n < (context.quick ? 5 : 15); n += 1) whole.push(await publishedToEverywhere(crowd, app));
    const rate = ({ ms }: Sample): number => (crowd.followers.length * 1000) / ms;
    const figures = Object.assign(
      {},
      ...[...samples].map(([name, taken]) => ({
        [`${name} feeds/s`]: median(taken.map(rate)),
        ...medianOfEach(taken.map(({ cpu }) => cpuFigures(`post of ${name}`, cpu, 1))),
      })),
    ) as Record<string, number>;
    return {
      ratios: {
        ...ratiosOver(ours, samples, rate),
        'everywhere-within-300-ms': everywhereWithinMs / median(whole),
      },
      figures: {
        ...figures,
        'published to everywhere ms': median(whole),
        'published to everywhere, slowest ms': Math.max(...whole),
      },
    };
  } finally {
    await worker.stop();
  }
}

async function publish(app: App): Promise<{ postId: string; at: number }> {
  const content = `news of ${performance.now()}`;
  const published = await app.feed.publishPost(callerNamed(author, 'bench'), {
    content,
    visibility: 'public',
  });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  return { postId: published.value.postId, at: published.value.createdAt.getTime() };
}

/** The product's fan-out of one post, without what comes before it. */
const fanOutHere = (crowd: Crowd, app: App): Contestant<Sample> => ({
  name: ours,
  async measure() {
    const { beginFanOuts } =
      await loadProduct<typeof import('../../../src/domains/feed/index.js')>('domains/feed/index.js');
    const { postId } = await publish(app);
    await beginFanOuts(app.postgres, [postId]);
    const sample = await timed(crowd, () => app.feed.runFanOuts(author, app.logger));
    await verifyArrived(app.feed.cache, crowd.followers, postId);
    return sample;
  },
});

/** All batches of the same script at once, and nothing else. */
const bareLoop = (crowd: Crowd, app: App): Contestant<Sample> => ({
  name: peer,
  async measure() {
    const place = { at: Date.now(), postId: app.ids.next() };
    return timed(crowd, () => app.feed.cache.push(crowd.followers, place));
  },
});

async function timed(crowd: Crowd, work: () => Promise<unknown>): Promise<Sample> {
  const used = await watchCpu({
    client: process.pid,
    Redis: crowd.redis.pid,
    Postgres: await crowd.postgres.pid(),
  });
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  return { ms, cpu: await used() };
}

/** By a worker process, from the post's own time until its fan-out is complete, both by the clock of Postgres. */
async function publishedToEverywhere(crowd: Crowd, app: App): Promise<number> {
  const { postId } = await publish(app);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const [row] = await crowd.postgres.run<{ ms: number }>(
      `SELECT (extract(epoch FROM f.completed_at - p.created_at) * 1000)::float8 AS ms
       FROM fanouts f JOIN posts p USING (post_id) WHERE post_id = '${postId}' AND f.completed_at IS NOT NULL`,
      'crowd',
    );
    if (row) {
      await verifyArrived(app.feed.cache, crowd.followers, postId);
      return row.ms;
    }
    if (performance.now() > deadline) throw new Error('a fan-out did not come to its end');
    await pause(20);
  }
}
