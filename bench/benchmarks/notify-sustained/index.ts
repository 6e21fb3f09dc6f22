import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import type { Child } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { sumOfMetric } from '../../harness/metrics.ts';
import { cpuDuring, cpuFigures } from '../../harness/process-cpu.ts';
import { medianOfEach } from '../../harness/rounds.ts';
import { type Ground, openGround } from '../notify-ground/ground.ts';
import { priorities } from '../notify-ground/people.ts';
import { startProducer } from '../notify-ground/producer.ts';
import type { ProducerMethods } from '../notify-ground/producer-process.ts';
import { type Provider, startProvider } from '../notify-ground/provider.ts';
import { findOut } from './find-out.ts';

const ours = 'tidings';
const people = 10_000;
/** Recipients of each request that makes low messages wait. */
const each = 1_000;
/** More than twice the document's average of its whole fleet (1,160), and half its peak. */
const goal = 2_500;
/** A little more, so that what is under way at the last instant is not missed. */
const usualPerSecond = 2_520;
const highLimitMs = 500;
const connections = 256;

const GOAL = `${goal}-a-second`;
const HIGH = `high-p99-within-${highLimitMs}-ms`;

/** Messages of all priorities from request to phone, while many of low priority wait. */
export const notifySustained: Benchmark = {
  name: 'notify.sustained',
  summary: `${goal} pushes a second from request to phone, while 100,000 of low priority wait`,
  targets: { [GOAL]: 1, [HIGH]: 1 },
  async run(context) {
    const ground = await openGround(people);
    const provider = await startProvider();
    const producer = startProducer();
    try {
      const measured = () => measure(ground, provider, producer, context);
      const samples = await context.rounds([{ name: ours, measure: measured }], (_, { rate, high }) =>
        context.note(`${Math.round(rate)}/s, high p99 ${Math.round(high)} ms`),
      );
      return outcomeOf(samples.get(ours) ?? []);
    } finally {
      await producer.stop();
      await provider.stop();
      await ground.stop();
    }
  },
};

interface Sample {
  /** Accepted a second, or arrived, whichever is less. */
  readonly rate: number;
  /** The p99 of high messages, in milliseconds. */
  readonly high: number;
  readonly figures: Readonly<Record<string, number>>;
}

async function measure(
  ground: Ground,
  provider: Provider,
  producer: Child<ProducerMethods>,
  { quick, perSecond = usualPerSecond }: BenchContext,
): Promise<Sample> {
  const [waiting, warmUpSeconds, seconds] = quick ? [10_000, 5, 10] : [100_000, 15, 60];
  await provider.forget();
  const place = await ground.fresh();
  const running: { stop(): Promise<void> }[] = [place];
  try {
    const api = await place.startApi();
    running.push(api);
    await producer.call('open', api.url, connections);
    const backlog = { name: 'waiting', priority: 'low', count: waiting / each, each, people } as const;
    await producer.call('batches', backlog);
    const worker = await place.startWorker(provider.environment);
    running.push(worker);

    const processes = { api: api.pid, worker: worker.pid, provider: provider.pid, ...place.pids };
    const [paced, used] = await Promise.all([
      producer.call('pace', { perSecond, warmUpSeconds, seconds }, people),
      cpuDuring({ ...processes, load: producer.pid }, { warmUpSeconds, seconds }),
    ]);
    await provider.untilArrived(waiting + paced.accepted);
    await place.untilDelivered(waiting + paced.accepted);
    const found = findOut(waiting, seconds, paced, await provider.arrivals());

    const figures: Record<string, number> = {
      'accepted/s': found.acceptedPerSecond,
      'arrived/s': found.arrived / seconds,
    };
    for (const priority of priorities) {
      const { p50Ms, p95Ms, p99Ms } = latencyOf(found.tookMs[priority]);
      Object.assign(figures, {
        [`${priority} p50 ms`]: p50Ms,
        [`${priority} p95 ms`]: p95Ms,
        [`${priority} p99 ms`]: p99Ms,
      });
    }
    const cores = Object.values(used).reduce((sum, cpuSeconds) => sum + cpuSeconds / seconds, 0);
    Object.assign(figures, {
      'low waiting at first': found.lowWaiting.first,
      'low waiting at last': found.lowWaiting.last,
      'sent again': found.again,
      'let through uncounted': await sumOfMetric(api.url, 'rate_limiter_redis_errors_total'),
      'begun late p99 ms': latencyOf(paced.lateMs).p99Ms,
      ...(cores > 0 && { 'cores busy': cores }),
      ...cpuFigures('message that arrived', used, found.arrived),
    });
    return {
      rate: Math.min(found.acceptedPerSecond, found.arrived / seconds),
      high: latencyOf(found.tookMs.high).p99Ms,
      figures,
    };
  } finally {
    for (const one of running.reverse()) await one.stop();
  }
}

function outcomeOf(samples: readonly Sample[]): Outcome {
  const { rate, high } = medianOfEach(samples.map(({ rate, high }) => ({ rate, high })));
  return {
    ratios: { [GOAL]: rate / goal, [HIGH]: highLimitMs / high },
    figures: medianOfEach(samples.map(({ figures }) => figures)),
  };
}
