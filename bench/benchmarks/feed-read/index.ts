import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { asClient, clients } from '../../harness/client-manners.ts';
import { type LoadRequest, type LoadSample, startLoad } from '../../harness/load.ts';
import type { LoadMethods } from '../../harness/load-process.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { cpuFigures, type Processes, watchCpu } from '../../harness/process-cpu.ts';
import { migrateProduct } from '../../harness/product-app.ts';
import { type ProductProcess, startProduct } from '../../harness/product-process.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, medianOfEach, type Samples } from '../../harness/rounds.ts';
import type { BareMethods, BarePage } from './bare-process.ts';
import { type Graph, makeGraph, readerOf } from './graph.ts';
import { readPage, requestOf } from './page.ts';
import { recordTrips } from './recording.ts';

const roomyRules = fileURLToPath(new URL('../../../rules/start.yaml', import.meta.url));
const connections = 32;
const readers = 64;
/**
 * From then on a page costs what it will cost. Of the first ones half is the compiler's work, and by the 3,000th a page
 * still costs a fifth more than by the 15,000th.
 */
const warmPages = 12_000;
const goalMs = 25;
const GOAL = `p99-${goalMs}-ms`;
const small: Graph = { authors: 501, postsEach: 40, readers: 320 };
/** Clients that the first stage is also asked as, over itself asked plainly. */
const asClients = { 'as-apollo-client': clients['apollo-client'], 'as-urql': clients.urql };
const large: Graph = { authors: 5_001, postsEach: 40, readers: 3_200 };

/** Warm pages of 20, ranked, over HTTP: beside a bare server, and in a graph ten times as large. */
export const feedRead: Benchmark = {
  name: 'feed.read',
  summary: 'a warm page of 20, ranked, by 32 connections; a graph 10 times as large; a bare server',
  targets: {
    bare: 0.7,
    'larger-graph': 1 / 1.2,
    [GOAL]: 1,
    ...Object.fromEntries(Object.keys(asClients).map((name) => [name, 0.95])),
  },
  async run(context) {
    const load = startLoad();
    const stages: Stage[] = [];
    try {
      for (const [name, graph] of [
        ['tidings', small],
        ['larger-graph', large],
      ] as const)
        if (context.takesPart(name)) stages.push(await openStage(name, graph));
      const contestants = stages.map((stage) =>
        contestantOn(stage, stage.api.url, stage.api.pid, load, context),
      );
      const [first] = stages;
      const bare = first && context.takesPart('bare') ? await startBare(first) : undefined;
      try {
        if (first && bare)
          contestants.push(contestantOn({ ...first, name: 'bare' }, bare.url, bare.child.pid, load, context));
        for (const [name, manners] of Object.entries(asClients)) {
          if (first?.name !== 'tidings' || !context.takesPart(name)) continue;
          const requests = first.requests.map((request) => asClient(request, manners));
          const { url, pid } = first.api;
          contestants.push(contestantOn({ ...first, name, requests }, url, pid, load, context));
        }
        const samples = await context.rounds(contestants, (name, sample) =>
          context.note(
            `${name}: ${Math.round(sample.perSecond)} pages/s, p99 ${sample.p99Ms} ms, ${sample.cpu['server CPU ms a page']?.toFixed(3)} ms CPU a page`,
          ),
        );
        return outcomeOf(samples);
      } finally {
        await bare?.child.stop();
      }
    } finally {
      await load.stop();
      for (const stage of stages) await stage.stop();
    }
  },
};

/** A graph with an api process, and readers whose feeds are warm. */
interface Stage {
  readonly name: string;
  readonly api: ProductProcess;
  readonly redis: RedisServer;
  readonly requests: readonly LoadRequest[];
  stop(): Promise<void>;
}

interface PageSample extends LoadSample {
  readonly cpu: Readonly<Record<string, number>>;
}

async function openStage(name: string, graph: Graph): Promise<Stage> {
  const [postgres, redis] = await Promise.all([startPostgres(40), startRedis()]);
  const stop = async (): Promise<void> => {
    await redis.stop();
    await postgres.stop();
  };
  try {
    const api = await startOn(postgres, redis, graph);
    const requests = await Promise.all(Array.from({ length: readers }, (_, n) => requestOf(readerOf(n))));
    // Once to have the feed built beside the answer, once to have all that a warm page remembers.
    for (const _ of [1, 2]) {
      for (const request of requests) await readPage(api.url, request);
      await pause(500);
    }
    return {
      name,
      api,
      redis,
      requests,
      async stop() {
        await api.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOn(postgres: PostgresServer, redis: RedisServer, graph: Graph): Promise<ProductProcess> {
  await postgres.run('CREATE DATABASE feed');
  await migrateProduct(postgres.url('feed'));
  await makeGraph(postgres, 'feed', graph);
  const urls = { databaseUrl: postgres.url('feed'), redisUrl: redis.url };
  return startProduct('api', { ...urls, env: { RATE_LIMIT_RULES: roomyRules } });
}

async function startBare({
  api,
  redis,
  requests,
}: Stage): Promise<{ url: string; child: Child<BareMethods> }> {
  const pages: BarePage[] = [];
  for (const request of requests) {
    let answer: unknown;
    const trips = await recordTrips(redis.url, async () => {
      answer = await readPage(api.url, request);
    });
    pages.push({ authorization: request.headers.authorization!, trips, answer });
  }
  const child = startChild<BareMethods>(new URL('./bare-process.ts', import.meta.url));
  return { child, url: await child.call('listen', redis.url, pages) };
}

function contestantOn(
  { name, redis, requests }: Stage,
  origin: string,
  pid: number | undefined,
  load: Child<LoadMethods>,
  { quick }: BenchContext,
): Contestant<PageSample> {
  const processes: Processes = { server: pid, Redis: redis.pid };
  const run = (seconds: number) => load.call('run', { origin, connections, seconds, requests });
  let answered = 0;
  return {
    name,
    async measure() {
      do answered += (await run(5)).perSecond * 5;
      while (answered > 0 && answered < warmPages);
      const used = await watchCpu(processes);
      const seconds = quick ? 4 : 8;
      const sample = await run(seconds);
      if (sample.perSecond === 0) throw new Error(`${name} answered nothing within ${seconds} s`);
      return { ...sample, cpu: cpuFigures('page', await used(), sample.perSecond * seconds) };
    },
  };
}

/** Pages by what they cost the server's process: rates of wall time say what else the machine did. */
function outcomeOf(samples: Samples<PageSample>): Outcome {
  const figures: Record<string, number> = {};
  const cost: Record<string, number> = {};
  for (const [name, taken] of samples) {
    figures[`${name} pages/s`] = median(taken.map(({ perSecond }) => perSecond));
    figures[`${name} p50 ms`] = median(taken.map(({ p50Ms }) => p50Ms));
    figures[`${name} p99 ms`] = median(taken.map(({ p99Ms }) => p99Ms));
    for (const [figure, ms] of Object.entries(medianOfEach(taken.map(({ cpu }) => cpu))))
      figures[`${name} ${figure}`] = ms;
    cost[name] = figures[`${name} server CPU ms a page`] ?? Number.NaN;
  }
  const ratios: Record<string, number> = {};
  if (cost.tidings !== undefined) {
    if (cost.bare !== undefined) ratios.bare = cost.bare / cost.tidings;
    if (cost['larger-graph'] !== undefined) ratios['larger-graph'] = cost.tidings / cost['larger-graph'];
    for (const name of Object.keys(asClients))
      if (cost[name] !== undefined) ratios[name] = cost.tidings / cost[name];
    ratios[GOAL] = goalMs / figures['tidings p99 ms']!;
  }
  return { ratios, figures };
}
