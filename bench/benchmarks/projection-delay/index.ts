import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { type ProductProcess, startProduct } from '../../harness/product-process.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, type Samples } from '../../harness/rounds.ts';
import type { Place } from './banks/bank.ts';
import type { BankName } from './banks/index.ts';
import type { ClientMethods } from './client-process.ts';

const perSecond = 500;
const p50LimitMs = 3;
const p99LimitMs = 15;
const withinP50 = `p50-within-${p50LimitMs}-ms`;
const withinP99 = `p99-within-${p99LimitMs}-ms`;

/** Deposits that a reader waits for, at an even pace, through log, projector and wake-up. */
export const projectionDelay: Benchmark = {
  name: 'projection.delay',
  summary: 'from a deposit to whoever waits for it in the read model, under 500 deposits a second',
  targets: { [withinP50]: 1, [withinP99]: 1 },
  async run(context) {
    const server = await startPostgres(60);
    const redis = await startRedis();
    const grounds: Ground[] = [];
    try {
      for (const name of (['tidings', 'in-place'] as const).filter((one) => context.takesPart(one))) {
        grounds.push(await prepare(name, server, redis));
      }
      const contestants = grounds.map(
        ({ name, client }): Contestant<DelaySample> => ({
          name,
          measure: () => measure(client, server, context.quick),
        }),
      );
      const told = (name: string, { p50Ms, p99Ms }: DelaySample) =>
        context.note(`${name}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
      return outcomeOf(await context.rounds(contestants, told));
    } finally {
      await Promise.all(grounds.map(({ client }) => client.stop()));
      await Promise.all(grounds.map(({ worker }) => worker?.stop()));
      await redis.stop();
      await server.stop();
    }
  },
};

interface Ground {
  readonly name: BankName;
  readonly client: Child<ClientMethods>;
  /** Where the projectors run; the bare limit has none. */
  readonly worker: ProductProcess | undefined;
}

async function prepare(name: BankName, server: PostgresServer, redis: RedisServer): Promise<Ground> {
  const database = name.replaceAll('-', '_');
  await server.run(`CREATE DATABASE ${database}`);
  const place: Place = { databaseUrl: server.url(database), redisUrl: redis.url };
  const client = startChild<ClientMethods>(new URL('./client-process.ts', import.meta.url));
  await client.call('found', name, place);
  const worker = name === 'tidings' ? await startProduct('worker', { ...place }) : undefined;
  await client.call('open', name, place);
  return { name, client, worker };
}

interface DelaySample {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly acknowledgedP50Ms: number;
  readonly acknowledgedP99Ms: number;
  readonly lateP99Ms: number;
}

const units: Record<keyof DelaySample, string> = {
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  acknowledgedP50Ms: 'acknowledged p50 ms',
  acknowledgedP99Ms: 'acknowledged p99 ms',
  lateP99Ms: 'begun late p99 ms',
};

async function measure(
  client: Child<ClientMethods>,
  server: PostgresServer,
  quick: boolean,
): Promise<DelaySample> {
  await server.run('CHECKPOINT');
  const [warmUpSeconds, seconds] = quick ? [1, 3] : [3, 15];
  const { visibleMs, acknowledgedMs, lateMs } = await client.call('run', {
    perSecond,
    warmUpSeconds,
    seconds,
  });
  const acknowledged = latencyOf(acknowledgedMs);
  return {
    ...latencyOf(visibleMs),
    acknowledgedP50Ms: acknowledged.p50Ms,
    acknowledgedP99Ms: acknowledged.p99Ms,
    lateP99Ms: latencyOf(lateMs).p99Ms,
  };
}

function outcomeOf(samples: Samples<DelaySample>): Outcome {
  const figures: Record<string, number> = {};
  const middle = (name: BankName, key: keyof DelaySample): number =>
    median(samples.get(name)?.map((sample) => sample[key]) ?? []);
  for (const name of samples.keys() as MapIterator<BankName>) {
    for (const key of Object.keys(units) as (keyof DelaySample)[]) {
      figures[`${name} ${units[key]}`] = middle(name, key);
    }
  }
  const ratios: Record<string, number> = {};
  if (samples.has('tidings')) {
    ratios[withinP50] = p50LimitMs / middle('tidings', 'p50Ms');
    ratios[withinP99] = p99LimitMs / middle('tidings', 'p99Ms');
    if (samples.has('in-place'))
      ratios['in-place'] = middle('in-place', 'p50Ms') / middle('tidings', 'p50Ms');
  }
  return { ratios, figures };
}
