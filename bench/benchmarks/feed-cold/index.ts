import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { startChild } from '../../harness/child.ts';
import { type Latency, latencyOf } from '../../harness/latency.ts';
import { startPostgres } from '../../harness/postgres-server.ts';
import { migrateProduct } from '../../harness/product-app.ts';
import { startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, type Samples } from '../../harness/rounds.ts';
import { makeGraph, readerOf } from '../feed-read/graph.ts';
import type { ColdMethods } from './cold-process.ts';

const goalMs = 80;
const GOAL = `rebuild-p99-${goalMs}-ms`;
/** More than anything reads in one run. */
const readers = 1_000;

/** Feeds that nobody has read for a week: each is read once, by a reader who follows 200. */
export const feedCold: Benchmark = {
  name: 'feed.cold',
  summary: 'a feed following 200 from Postgres: its first page, and its rebuild in Redis',
  targets: { [GOAL]: 1 },
  async run(context) {
    const [postgres, redis] = await Promise.all([startPostgres(40), startRedis()]);
    const child = startChild<ColdMethods>(new URL('./cold-process.ts', import.meta.url));
    try {
      await postgres.run('CREATE DATABASE feed');
      await migrateProduct(postgres.url('feed'));
      await makeGraph(postgres, 'feed', { authors: 2_001, postsEach: 40, readers });
      await child.call('open', postgres.url('feed'), redis.url);
      const count = context.quick ? 50 : 200;
      let first = 0;
      const take = (what: 'page' | 'rebuild'): Contestant<Latency> => ({
        name: what,
        async measure() {
          const users = Array.from({ length: count }, (_, n) => readerOf((first + n) % readers));
          first += count;
          return latencyOf(await child.call(what, users));
        },
      });
      await child.call(
        'rebuild',
        Array.from({ length: 20 }, (_, n) => readerOf(readers - 1 - n)),
      );
      const contestants = (['page', 'rebuild'] as const).filter((name) => context.takesPart(name)).map(take);
      const samples = await context.rounds(contestants, (name, { p50Ms, p99Ms }) =>
        context.note(`${name}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`),
      );
      return outcomeOf(samples);
    } finally {
      await child.stop();
      await redis.stop();
      await postgres.stop();
    }
  },
};

function outcomeOf(samples: Samples<Latency>): Outcome {
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) {
    figures[`${name} p50 ms`] = median(taken.map(({ p50Ms }) => p50Ms));
    figures[`${name} p99 ms`] = median(taken.map(({ p99Ms }) => p99Ms));
  }
  const p99 = figures['rebuild p99 ms'];
  return { ratios: p99 === undefined ? {} : { [GOAL]: goalMs / p99 }, figures };
}
