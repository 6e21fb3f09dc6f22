import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { type CpuSeconds, cpuFigures, type Processes, watchCpu } from '../../harness/process-cpu.ts';
import { type Contestant, median, medianOfEach, ratiosOver, type Samples } from '../../harness/rounds.ts';
import { type Ground, openGround, type Place } from '../notify-ground/ground.ts';
import { deviceTokenOf } from '../notify-ground/people.ts';
import { startProducer } from '../notify-ground/producer.ts';
import { type Provider, startProvider } from '../notify-ground/provider.ts';
import type { Arrivals } from '../notify-ground/provider-process.ts';
import type { BullmqMethods } from './bullmq-process.ts';

const ours = 'tidings';
const peer = 'bullmq';
/** Recipients of a request. */
const each = 1_000;
/** Calls that the peer's worker makes at once. */
const concurrency = 100;

/** Pushes that wait, sent by one worker process. */
export const notifyDrain: Benchmark = {
  name: 'notify.drain',
  summary: 'waiting pushes sent by a worker process: tidings, and a bare BullMQ worker with the same calls',
  targets: { [peer]: 0.9 },
  async run(context) {
    const messages = context.quick ? 2_000 : 20_000;
    const ground = await openGround(messages);
    const provider = await startProvider();
    try {
      const contestants = Object.entries(drains)
        .filter(([name]) => context.takesPart(name))
        .map(
          ([name, drain]): Contestant<Sample> => ({
            name,
            measure: () => measure(ground, provider, messages, drain),
          }),
        );
      const samples = await context.rounds(contestants, (name, { perSecond }) =>
        context.note(`${name}: ${Math.round(perSecond)} messages/s`),
      );
      return outcomeOf(samples);
    } finally {
      await provider.stop();
      await ground.stop();
    }
  },
};

interface Sample {
  /** From the first arrival to the last. */
  readonly perSecond: number;
  /** Milliseconds by figure, from when the worker was ready. */
  readonly cpu: Readonly<Record<string, number>>;
}

/** One way to send what waits. */
interface Drain {
  /** Makes the messages wait. */
  fill(place: Place, messages: number): Promise<void>;
  /** Starts a process that sends them. */
  work(place: Place, provider: Provider): Promise<{ pid: number | undefined; stop(): Promise<void> }>;
  /** Waits until it is written down of every message that it was sent. */
  settle(place: Place, messages: number): Promise<void>;
}

async function measure(ground: Ground, provider: Provider, messages: number, drain: Drain): Promise<Sample> {
  const place = await ground.fresh();
  try {
    await drain.fill(place, messages);
    await place.query('CHECKPOINT');
    await provider.forget();
    const worker = await drain.work(place, provider);
    try {
      const pids = { worker: worker.pid, provider: provider.pid, ...place.pids };
      const { used, count } = await watch(provider, messages, pids);
      await drain.settle(place, messages);
      const arrivals = await provider.arrivals();
      verify(arrivals, messages);
      const tookMs = arrivals.atMs.at(-1)! - arrivals.atMs[0]!;
      return { perSecond: ((messages - 1) * 1000) / tookMs, cpu: cpuFigures('message', used, count) };
    } finally {
      await worker.stop();
    }
  } finally {
    await place.stop();
  }
}

/** What is used from now until all have arrived, and how many arrive meanwhile. */
async function watch(
  provider: Provider,
  messages: number,
  pids: Processes,
): Promise<{ used: CpuSeconds; count: number }> {
  const cpu = await watchCpu(pids);
  const before = await provider.count();
  await provider.untilArrived(messages);
  return { used: await cpu(), count: messages - before };
}

/** @throws unless each person's phone got its one message, once */
function verify({ deviceTokens }: Arrivals, messages: number): void {
  const reached = new Set(deviceTokens);
  for (let n = 0; n < messages; n += 1)
    if (!reached.has(deviceTokenOf(n))) throw new Error(`the message to person ${n} did not arrive`);
  if (deviceTokens.length !== messages)
    throw new Error(`${deviceTokens.length} messages arrived of ${messages}: some more than once`);
}

const drains: Readonly<Record<string, Drain>> = {
  [ours]: {
    async fill(place, messages) {
      const producer = startProducer();
      const api = await place.startApi();
      try {
        await producer.call('open', api.url, 1);
        await producer.call('batches', {
          name: 'drain',
          priority: 'medium',
          count: messages / each,
          each,
          people: messages,
        });
      } finally {
        await producer.stop();
        // It has no part in what follows, and the peer has none like it.
        await api.stop();
      }
    },
    work: (place, provider) => place.startWorker(provider.environment),
    settle: (place, messages) => place.untilDelivered(messages),
  },
  [peer]: {
    async fill({ redis }, messages) {
      const filler = startPeer();
      await filler.call('fill', redis.url, messages).finally(() => filler.stop());
    },
    async work({ redis }, provider) {
      const worker = startPeer();
      await worker.call('work', redis.url, provider.account, concurrency);
      return worker;
    },
    async settle({ redis }) {
      const looker = startPeer();
      await looker.call('untilDone', redis.url).finally(() => looker.stop());
    },
  },
};

const startPeer = (): Child<BullmqMethods> =>
  startChild<BullmqMethods>(new URL('./bullmq-process.ts', import.meta.url));

function outcomeOf(samples: Samples<Sample>): Outcome {
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) {
    figures[`${name} messages/s`] = median(taken.map(({ perSecond }) => perSecond));
    for (const [figure, ms] of Object.entries(medianOfEach(taken.map(({ cpu }) => cpu))))
      figures[`${name} ${figure}`] = ms;
  }
  return { ratios: ratiosOver(ours, samples, ({ perSecond }) => perSecond), figures };
}
