import { deepStrictEqual, ok } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, canPin } from '../../harness/child.ts';
import { startLoad } from '../../harness/load.ts';
import type { LoadMethods } from '../../harness/load-process.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median } from '../../harness/rounds.ts';
import { type PageServer, populate, serveFeed, serveMemory } from './pages.ts';

/** So many times the CPU of an ungated page a gated one may take. */
const allowed = 1.15;
const serverCore = 0;
const loadCore = 1;

/** A page of 20 posts with the gate in front of it and without. */
export const limitGate: Benchmark = {
  name: 'limit.gate',
  summary: 'what the gate adds to a page of 20 posts: the product’s home feed, and a page out of memory',
  targets: { [`feed-within-${allowed}`]: 1, [`memory-within-${allowed}`]: 1 },
  async run(context) {
    const pin = await canPin();
    const postgres = await startPostgres(60);
    const redis = await startRedis();
    const folder = await mkdtemp(join(tmpdir(), 'bench-gate-'));
    const load = startLoad(pin ? loadCore : undefined);
    const core = pin ? serverCore : undefined;
    try {
      const feed = await race(context, load, 'feed', () => feedServers(postgres, redis, folder, core));
      const memory = await race(context, load, 'memory', () => memoryServers(redis, core));
      return {
        ratios: { ...feed.ratios, ...memory.ratios },
        figures: { ...feed.figures, ...memory.figures },
      };
    } finally {
      await load.stop();
      await redis.stop();
      await postgres.stop();
      await rm(folder, { recursive: true });
    }
  },
};

interface Pair {
  readonly gated: PageServer;
  readonly ungated: PageServer;
}

async function feedServers(
  postgres: PostgresServer,
  redis: RedisServer,
  folder: string,
  core: number | undefined,
): Promise<Pair> {
  const readers = await populate(postgres, 'feed');
  const place = { databaseUrl: postgres.url('feed'), redisUrl: redis.url, folder, readers };
  return { gated: await serveFeed(place, true, core), ungated: await serveFeed(place, false, core) };
}

const memoryServers = async (redis: RedisServer, core: number | undefined): Promise<Pair> => ({
  gated: await serveMemory(redis.url, core),
  ungated: await serveMemory(undefined, core),
});

async function race(
  context: BenchContext,
  load: Child<LoadMethods>,
  page: string,
  serve: () => Promise<Pair>,
): Promise<Outcome> {
  const servers = await serve();
  try {
    await verifyAlike(servers);
    const [warmUp, seconds, turns] = context.quick ? [2, 1, 2] : [5, 2, 4];
    const contestants = Object.entries(servers).map(
      ([name, server]): Contestant<PageSample> => ({
        name,
        measure: () => measure(load, server, seconds),
      }),
    );
    for (const server of Object.values(servers)) await measure(load, server, warmUp);
    const samples = await context.rounds(
      contestants,
      (name, { cpuMs, perSecond }) =>
        context.note(
          `${page} ${name}: ${cpuMs.toFixed(3)} ms of CPU a page, ${Math.round(perSecond)} pages/s`,
        ),
      turns,
    );
    await verifyAlike(servers);
    const figures: Record<string, number> = {};
    const cpu: Record<string, number> = {};
    for (const [name, taken] of samples) {
      cpu[name] = median(taken.map(({ cpuMs }) => cpuMs));
      figures[`${page} ${name} CPU ms a page`] = cpu[name];
      figures[`${page} ${name} pages/s`] = median(taken.map(({ perSecond }) => perSecond));
      figures[`${page} ${name} p99 ms`] = median(taken.map(({ p99Ms }) => p99Ms));
    }
    const times = (cpu.gated ?? Number.NaN) / (cpu.ungated ?? Number.NaN);
    figures[`${page} CPU gated over ungated`] = times;
    figures[`${page} pages/s ungated over gated`] =
      median((samples.get('ungated') ?? []).map(({ perSecond }) => perSecond)) /
      median((samples.get('gated') ?? []).map(({ perSecond }) => perSecond));
    return { ratios: { [`${page}-within-${allowed}`]: allowed / times }, figures };
  } finally {
    await Promise.all(Object.values(servers).map((server: PageServer) => server.stop()));
  }
}

interface PageSample {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of the server's process. */
  readonly cpuMs: number;
}

async function measure(load: Child<LoadMethods>, server: PageServer, seconds: number): Promise<PageSample> {
  const before = await server.cpuSeconds();
  const { origin, requests } = server;
  const { perSecond, p99Ms } = await load.call('run', { origin, connections: 32, seconds, requests });
  const cpuMs = (((await server.cpuSeconds()) - before) * 1000) / (perSecond * seconds);
  return { perSecond, p99Ms, cpuMs };
}

/** Both give the same page of 20 posts, and only one of them says what is left. */
async function verifyAlike({ gated, ungated }: Pair): Promise<void> {
  const [one, other] = await Promise.all([ask(gated), ask(ungated)]);
  deepStrictEqual(one.nodes, other.nodes, 'the gate changed the page');
  ok(one.remaining !== null && other.remaining === null, 'one server must count, and the other must not');
}

async function ask({ origin, requests }: PageServer) {
  const [request] = requests;
  if (!request) throw new Error('there is nobody to read');
  const { path, headers, body } = request;
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data?: { feed?: { edges: readonly { node: unknown }[] } } };
  // Without the cursors: a cursor has the instant at which its page was read.
  const nodes = data?.feed?.edges.map(({ node }) => node);
  deepStrictEqual(nodes?.length, 20, 'not a page of 20 posts');
  return { nodes, remaining: response.headers.get('x-ratelimit-remaining') };
}
