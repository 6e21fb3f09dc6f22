import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { type Latency, latencyOf } from '../../harness/latency.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { type Contestant, median, type Samples } from '../../harness/rounds.ts';
import type { LoaderMethods } from './loader-process.ts';
import type { LoaderName } from './loaders/index.ts';
import type { Length } from './streams.ts';

/** So many times the cost of a short stream a long one may have. */
const allowed = 1.5;
const withinAllowed = `long-within-${allowed}-of-short`;

/** Who is measured on which streams, by the name under which it takes part. */
const races = {
  'tidings-long': ['tidings', 'long'],
  'tidings-short': ['tidings', 'short'],
  'tidings-unsnapped-long': ['tidings-unsnapped', 'long'],
  'emmett-long': ['emmett', 'long'],
} as const satisfies Record<string, readonly [LoaderName, Length]>;

type Race = keyof typeof races;

/** Accounts loaded from long and from short streams, one after the other. */
export const aggregateLoad: Benchmark = {
  name: 'aggregate.load',
  summary: 'accounts loaded from 10,050 events with a snapshot: against 150 events, and Emmett without',
  targets: { [withinAllowed]: 1 },
  async run(context) {
    const server = await startPostgres(50);
    const loaders = new Map<LoaderName, Child<LoaderMethods>>();
    try {
      const racing = (Object.keys(races) as Race[]).filter((name) => context.takesPart(races[name][0]));
      for (const [name] of racing.map((race) => races[race])) {
        if (!loaders.has(name)) loaders.set(name, await prepare(context, name, server));
      }
      const contestants = racing.map((race): Contestant<Latency> => {
        const [name, length] = races[race];
        return { name: race, measure: () => measure(loaders.get(name), length, context.quick) };
      });
      const told = (name: string, { p50Ms }: Latency) => context.note(`${name}: ${p50Ms.toFixed(2)} ms`);
      return outcomeOf(await context.rounds(contestants, told));
    } finally {
      await Promise.all([...loaders.values()].map((child) => child.stop()));
      await server.stop();
    }
  },
};

/** A process with an open store; both of ours share a database, so that they load the same streams. */
async function prepare(
  context: BenchContext,
  name: LoaderName,
  server: PostgresServer,
): Promise<Child<LoaderMethods>> {
  const database = name === 'emmett' ? 'emmett' : 'tidings';
  const [there] = await server.run(`SELECT FROM pg_database WHERE datname = '${database}'`);
  if (!there) {
    context.note(`${database}: writing the streams`);
    await server.run(`CREATE DATABASE ${database}`);
  }
  const child = startChild<LoaderMethods>(new URL('./loader-process.ts', import.meta.url));
  await child.call('open', name, server.url(database), !there);
  // Neither is measured with what its writing left behind.
  await server.run('VACUUM ANALYZE', database);
  await server.run('CHECKPOINT');
  return child;
}

async function measure(
  loader: Child<LoaderMethods> | undefined,
  length: Length,
  quick: boolean,
): Promise<Latency> {
  if (!loader) throw new Error('the loader was not prepared');
  await loader.call('run', length, 0.2);
  return latencyOf(await loader.call('run', length, quick ? 0.5 : 3));
}

function outcomeOf(samples: Samples<Latency>): Outcome {
  const figures: Record<string, number> = {};
  const p50 = new Map<string, number>();
  for (const [name, taken] of samples) {
    p50.set(name, median(taken.map(({ p50Ms }) => p50Ms)));
    figures[`${name} p50 ms`] = p50.get(name) ?? Number.NaN;
    figures[`${name} p99 ms`] = median(taken.map(({ p99Ms }) => p99Ms));
  }
  const of = (race: Race): number => p50.get(race) ?? Number.NaN;
  const ratios: Record<string, number> = {};
  if (p50.has('tidings-long')) {
    const cost = of('tidings-long') / of('tidings-short');
    figures['tidings long over short'] = cost;
    ratios[withinAllowed] = allowed / cost;
    if (p50.has('emmett-long')) ratios.emmett = of('emmett-long') / of('tidings-long');
  }
  return { ratios, figures };
}
