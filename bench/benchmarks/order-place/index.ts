import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { type Contestant, median, ratiosOver, type Samples } from '../../harness/rounds.ts';
import { checkBooks } from './check.ts';
import { processes, writers } from './scenario.ts';
import { type ShopName, shops } from './shops/index.ts';
import type { WriterMethods } from './writer-process.ts';

/** Orders of hot products, placed by many in two processes. */
export const orderPlace: Benchmark = {
  name: 'order.place',
  summary: 'orders of ten hot products by 64 writers in 2 processes: tidings, and row locks by hand',
  targets: { 'by-hand': 5 },
  async run(context) {
    const server = await startPostgres(60);
    const grounds: Ground[] = [];
    try {
      for (const name of (['tidings', 'by-hand'] as const).filter((one) => context.takesPart(one))) {
        grounds.push(await prepare(name, server));
      }
      const contestants = grounds.map(
        (ground): Contestant<OrderSample> => ({
          name: ground.name,
          measure: () => measure(ground, context.quick),
        }),
      );
      const told = (name: string, { perSecond }: OrderSample) =>
        context.note(`${name}: ${Math.round(perSecond)} orders/s`);
      return outcomeOf(await context.rounds(contestants, told));
    } finally {
      await Promise.all(grounds.flatMap((ground) => ground.writers.map((child) => child.stop())));
      await server.stop();
    }
  },
};

/** A shop's founded database to copy, and the processes that order from its copies. */
interface Ground {
  readonly name: ShopName;
  readonly server: PostgresServer;
  readonly writers: readonly Child<WriterMethods>[];
}

const databaseOf = (name: ShopName, what: 'founded' | 'run'): string =>
  `${name.replaceAll('-', '_')}_${what}`;

async function prepare(name: ShopName, server: PostgresServer): Promise<Ground> {
  const script = new URL('./writer-process.ts', import.meta.url);
  const founder = startChild<WriterMethods>(script);
  try {
    await server.run(`CREATE DATABASE ${databaseOf(name, 'founded')}`);
    await founder.call('found', name, server.url(databaseOf(name, 'founded')));
  } finally {
    // Ended before the first copy, which Postgres refuses while anybody is connected.
    await founder.stop();
  }
  const ofProcesses = Array.from({ length: processes }, () => startChild<WriterMethods>(script));
  return { name, server, writers: ofProcesses };
}

interface OrderSample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refusedPerSecond: number;
  readonly outOfStock: number;
  readonly overLimit: number;
}

const units: Record<keyof OrderSample, string> = {
  perSecond: 'orders/s',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  refusedPerSecond: 'refused/s',
  outOfStock: 'out of stock',
  overLimit: 'over limit',
};

/** One run on a fresh copy of the founded shop, its books checked against what the writers were told. */
async function measure({ name, server, writers: children }: Ground, quick: boolean): Promise<OrderSample> {
  const database = databaseOf(name, 'run');
  await server.run(`CREATE DATABASE ${database} TEMPLATE ${databaseOf(name, 'founded')}`);
  // So that nobody pays in his seconds for what was written before him.
  await server.run('CHECKPOINT');
  const [warmUpSeconds, seconds] = quick ? [0.5, 1.5] : [2, 6];
  await Promise.all(children.map((child) => child.call('open', name, server.url(database))));
  const each = writers / processes;
  const parts = await Promise.all(
    children.map((child, process) => {
      const numbers = Array.from({ length: each }, (_, n) => process * each + n);
      return child.call('run', { writers: numbers, warmUpSeconds, seconds });
    }),
  );
  await Promise.all(children.map((child) => child.call('close')));
  const told = parts.flatMap((part) => part.told);
  checkBooks(name, await shops[name].readBooks(server, database), told);
  await server.run(`DROP DATABASE ${database} WITH (FORCE)`);
  const acceptedMs = parts.flatMap((part) => [...part.acceptedMs]);
  const refused = parts.reduce((sum, part) => sum + part.refusedMs.length, 0);
  return {
    perSecond: acceptedMs.length / seconds,
    ...latencyOf(acceptedMs),
    refusedPerSecond: refused / seconds,
    outOfStock: told.reduce((sum, one) => sum + one.outOfStock, 0),
    overLimit: told.reduce((sum, one) => sum + one.overLimit, 0),
  };
}

function outcomeOf(samples: Samples<OrderSample>): Outcome {
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) {
    for (const [key, unit] of Object.entries(units) as [keyof OrderSample, string][]) {
      figures[`${name} ${unit}`] = median(taken.map((sample) => sample[key]));
    }
  }
  return { ratios: ratiosOver('tidings', samples, ({ perSecond }) => perSecond), figures };
}
