import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { type Contestant, median, ratiosOver, type Samples } from '../../harness/rounds.ts';
import { checkKept } from './check.ts';
import { type StoreName, stores } from './stores/index.ts';
import { nameOf, type Workload, workloads } from './workload.ts';
import type { WriterMethods } from './writer-process.ts';

const ours: StoreName = 'tidings';
const peer: StoreName = 'emmett';

/** A lone append waits for whatever else the machine does: many short samples in turn, their median, bear that. */
const loneSamples = 5;
const isLone = ({ writers }: Workload): boolean => writers === 1;

/** Single events appended to one durable Postgres, by few and by many. */
export const logAppend: Benchmark = {
  name: 'log.append',
  summary: 'single appends to a durable Postgres by 1, 64 and 256 writers: tidings, Emmett',
  targets: { 'emmett-1-writer': 1 / 0.7, 'emmett-64-writers': 6 },
  async run(context) {
    const server = await startPostgres(100);
    const grounds: Ground[] = [];
    try {
      for (const name of [ours, peer].filter((name) => context.takesPart(name))) {
        grounds.push(await prepare(name, server));
      }
      return await race(context, grounds);
    } finally {
      await Promise.all(grounds.flatMap(({ writers }) => writers.map((child) => child.stop())));
      await server.stop();
    }
  },
};

/** A store with an empty database to copy and two processes to write from. */
interface Ground {
  readonly name: StoreName;
  readonly server: PostgresServer;
  readonly writers: readonly Child<WriterMethods>[];
}

interface AppendSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly conflictsPerSecond: number;
  readonly gaps: number;
}

async function prepare(name: StoreName, server: PostgresServer): Promise<Ground> {
  const script = new URL('./writer-process.ts', import.meta.url);
  const migrator = startChild<WriterMethods>(script);
  try {
    await server.run(`CREATE DATABASE ${name}_empty`);
    await migrator.call('migrate', name, server.url(`${name}_empty`));
  } finally {
    // Ended before the first copy, which Postgres refuses while anybody is connected.
    await migrator.stop();
  }
  return { name, server, writers: [startChild<WriterMethods>(script), startChild<WriterMethods>(script)] };
}

async function race(context: BenchContext, grounds: readonly Ground[]): Promise<Outcome> {
  const ratios: Record<string, number> = {};
  const figures: Record<string, number> = {};
  for (const workload of workloads) {
    const contestants = grounds.map(
      (ground): Contestant<AppendSample> => ({
        name: ground.name,
        measure: () => measure(ground, workload, context.quick),
      }),
    );
    const told = (name: string, { perSecond }: AppendSample) =>
      context.note(`${nameOf(workload)} ${name}: ${Math.round(perSecond)} appends/s`);
    const samples = await context.rounds(contestants, told, isLone(workload) ? loneSamples : 1);
    Object.assign(figures, figuresOf(workload, samples));
    const found = ratiosOver(ours, samples, ({ perSecond }) => perSecond);
    for (const [name, ratio] of Object.entries(found)) ratios[`${name}-${nameOf(workload)}`] = ratio;
  }
  return { ratios, figures };
}

/** One run on a fresh copy of the empty database, checked against what was acknowledged. */
async function measure(
  { name, server, writers }: Ground,
  workload: Workload,
  quick: boolean,
): Promise<AppendSample> {
  const database = `${name}_run`;
  await server.run(`CREATE DATABASE ${database} TEMPLATE ${name}_empty`);
  // So that nobody pays in his seconds for what was written before him.
  await server.run('CHECKPOINT');
  const active = writers.slice(0, workload.processes);
  const [warmUpSeconds, seconds] = quick || isLone(workload) ? [0.5, 1] : [1, 3];
  await Promise.all(active.map((child) => child.call('open', name, server.url(database), workload)));
  const parts = await Promise.all(
    active.map((child, process) => child.call('run', { workload, process, warmUpSeconds, seconds })),
  );
  await Promise.all(active.map((child) => child.call('close')));
  const acknowledged = parts.reduce((sum, part) => sum + part.acknowledged, 0);
  const { gaps } = await checkKept(server, database, stores[name], acknowledged);
  await server.run(`DROP DATABASE ${database} WITH (FORCE)`);
  const latencies = parts.flatMap(({ latenciesMs }) => [...latenciesMs]).sort((a, b) => a - b);
  return {
    perSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    conflictsPerSecond: parts.reduce((sum, part) => sum + part.conflicts, 0) / (warmUpSeconds + seconds),
    gaps,
  };
}

function figuresOf(workload: Workload, samples: Samples<AppendSample>): Record<string, number> {
  const units: Record<keyof AppendSample, string> = {
    perSecond: 'appends/s',
    p50Ms: 'p50 ms',
    p99Ms: 'p99 ms',
    conflictsPerSecond: 'conflicts/s',
    gaps: 'global gaps',
  };
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) {
    for (const [key, unit] of Object.entries(units) as [keyof AppendSample, string][]) {
      figures[`${name} ${nameOf(workload)} ${unit}`] = median(taken.map((sample) => sample[key]));
    }
  }
  return figures;
}
