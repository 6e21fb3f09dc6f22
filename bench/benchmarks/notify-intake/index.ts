import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { sumOfMetric } from '../../harness/metrics.ts';
import { cpuDuring, cpuFigures, type Processes, watchCpu } from '../../harness/process-cpu.ts';
import { type Contestant, median, medianOfEach, type Samples } from '../../harness/rounds.ts';
import { type Ground, ofThisRun, openGround, type Place } from '../notify-ground/ground.ts';
import { startProducer } from '../notify-ground/producer.ts';
import type { ProducerMethods } from '../notify-ground/producer-process.ts';
import type { BareMethods } from './bare-process.ts';

const people = 10_000;
const senders = 64;
/** Recipients of a large request: as many as one may have. */
const most = 1_000;
const goal = 2_000;
const GOAL = `${goal}-a-second`;
const UNCOUNTED = 'rate_limiter_redis_errors_total';

/** Requests accepted: answered once they are in Postgres. */
export const notifyIntake: Benchmark = {
  name: 'notify.intake',
  summary: 'notifications accepted over REST by 64 connections, one recipient each, and 1,000 at once',
  targets: { [GOAL]: 1 },
  async run(context) {
    const ground = await openGround(people);
    const producer = startProducer();
    try {
      const contestants = (['tidings', 'bare', 'batch'] as const)
        .filter((name) => context.takesPart(name))
        .map(
          (name): Contestant<Sample> => ({ name, measure: () => measurers[name](ground, producer, context) }),
        );
      const samples = await context.rounds(contestants, (name, { perSecond, p50Ms, p99Ms }) =>
        context.note(
          `${name}: ${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
        ),
      );
      return outcomeOf(samples);
    } finally {
      await producer.stop();
      await ground.stop();
    }
  },
};

interface Sample {
  /** Requests; of large ones their deliveries. */
  readonly perSecond: number;
  /** A request. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds by figure. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Limits that were not held against anything because Redis did not answer in time; a bare server has none. */
  readonly uncounted?: number;
}

/** @throws unless exactly what was accepted is in Postgres, and waits to be sent */
async function verifyStored(place: Place, requests: number, deliveries: number): Promise<void> {
  const [stored] = await place.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notification_requests WHERE ${ofThisRun}`,
  );
  const { QUEUED, ...others } = await place.deliveries();
  if (stored?.count !== requests || QUEUED !== deliveries || Object.keys(others).length > 0)
    throw new Error(
      `${requests} requests of ${deliveries} deliveries were accepted; ${stored?.count} are stored, with ${JSON.stringify({ QUEUED, ...others })}`,
    );
}

type Measure = (ground: Ground, producer: Child<ProducerMethods>, context: BenchContext) => Promise<Sample>;

const measurers: Readonly<Record<'tidings' | 'bare' | 'batch', Measure>> = {
  tidings: (ground, producer, context) =>
    withApi(ground, async (place, url, pids) => {
      const { accepted, ...sample } = await flood(producer, url, pids, context);
      await verifyStored(place, accepted, accepted);
      return { ...sample, uncounted: await sumOfMetric(url, UNCOUNTED) };
    }),

  async bare(ground, producer, context) {
    const place = await ground.fresh();
    const server = startChild<BareMethods>(new URL('./bare-process.ts', import.meta.url));
    try {
      const url = await server.call('listen', place.databaseUrl);
      const pids = { server: server.pid, Postgres: place.pids.Postgres, load: producer.pid };
      const { accepted, ...sample } = await flood(producer, url, pids, context);
      const [stored] = await place.query<{ rows: string }>('SELECT count(*) AS rows FROM bare_requests');
      if (Number(stored?.rows) !== accepted)
        throw new Error(`${accepted} bare requests were accepted, ${stored?.rows} are stored`);
      return sample;
    } finally {
      await server.stop();
      await place.stop();
    }
  },

  batch: (ground, producer, { quick }) =>
    withApi(ground, async (place, url, pids) => {
      const [warmUp, count] = quick ? [3, 5] : [10, 50];
      await producer.call('open', url, 1);
      const each = { priority: 'medium', each: most, people } as const;
      await producer.call('batches', { ...each, name: 'warm-up', count: warmUp });
      const cpu = await watchCpu({ ...pids, load: producer.pid });
      const tookMs = await producer.call('batches', { ...each, name: 'batch', count });
      const used = await cpu();
      await verifyStored(place, warmUp + count, (warmUp + count) * most);
      const perSecond = (count * most * 1000) / tookMs.reduce((sum, ms) => sum + ms, 0);
      return {
        perSecond,
        ...latencyOf(tookMs),
        cpu: cpuFigures('delivery', used, count * most),
        uncounted: await sumOfMetric(url, UNCOUNTED),
      };
    }),
};

async function withApi(
  ground: Ground,
  measure: (place: Place, url: string, pids: Processes) => Promise<Sample>,
): Promise<Sample> {
  const place = await ground.fresh();
  try {
    const api = await place.startApi();
    try {
      return await measure(place, api.url, { api: api.pid, ...place.pids });
    } finally {
      await api.stop();
    }
  } finally {
    await place.stop();
  }
}

async function flood(
  producer: Child<ProducerMethods>,
  url: string,
  pids: Processes,
  { quick }: BenchContext,
): Promise<Sample & { readonly accepted: number }> {
  const [warmUpSeconds, seconds] = quick ? [1, 3] : [5, 15];
  await producer.call('open', url, senders);
  const [{ accepted, tookMs }, cpu] = await Promise.all([
    producer.call('flood', { connections: senders, warmUpSeconds, seconds, people }),
    cpuDuring({ ...pids, load: producer.pid }, { warmUpSeconds, seconds }),
  ]);
  return {
    accepted,
    perSecond: tookMs.length / seconds,
    ...latencyOf(tookMs),
    cpu: cpuFigures('request', cpu, tookMs.length),
  };
}

function outcomeOf(samples: Samples<Sample>): Outcome {
  const figures: Record<string, number> = {};
  const rates: Record<string, number> = {};
  for (const [name, taken] of samples) {
    if (name !== 'bare')
      figures[`${name} let through uncounted`] = median(taken.map(({ uncounted = 0 }) => uncounted));
    rates[name] = median(taken.map(({ perSecond }) => perSecond));
    figures[`${name} ${name === 'batch' ? 'deliveries' : 'requests'}/s`] = rates[name];
    figures[`${name} p50 ms`] = median(taken.map(({ p50Ms }) => p50Ms));
    figures[`${name} p99 ms`] = median(taken.map(({ p99Ms }) => p99Ms));
    for (const [figure, ms] of Object.entries(medianOfEach(taken.map(({ cpu }) => cpu))))
      figures[`${name} ${figure}`] = ms;
  }
  const ratios: Record<string, number> = {};
  if (rates.tidings !== undefined) {
    ratios[GOAL] = rates.tidings / goal;
    if (rates.bare !== undefined) ratios.bare = rates.tidings / rates.bare;
  }
  return { ratios, figures };
}
