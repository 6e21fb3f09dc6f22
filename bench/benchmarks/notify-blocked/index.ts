import { Redis } from 'ioredis';
import type { Benchmark } from '../../harness/benchmark.ts';
import { type Contestant, median, ratiosOver } from '../../harness/rounds.ts';
import { type Ground, ofThisRun, openGround, type Place } from '../notify-ground/ground.ts';
import { startProducer } from '../notify-ground/producer.ts';
import { type Provider, startProvider } from '../notify-ground/provider.ts';

const blocked = 'blocked';
const free = 'free';
/** Recipients of a request. */
const each = 1_000;

/** Pushes that wait, sent by one worker process: where everybody's first message waits for a retry, and where nothing does. */
export const notifyBlocked: Benchmark = {
  name: 'notify.blocked',
  summary: 'waiting pushes sent while the first message of each of 100,000 people waits for a retry',
  targets: { [free]: 0.9 },
  async run(context) {
    const [people, messages] = context.quick ? [5_000, 2_000] : [100_000, 20_000];
    const ground = await openGround(people);
    const provider = await startProvider();
    try {
      const contestants = [blocked, free].map(
        (name): Contestant<number> => ({
          name,
          measure: () => measure(ground, provider, name === blocked ? people : 0, messages),
        }),
      );
      const samples = await context.rounds(contestants, (name, perSecond) =>
        context.note(`${name}: ${Math.round(perSecond)} messages/s`),
      );
      const figures = Object.fromEntries(
        [...samples].map(([name, taken]) => [`${name} messages/s`, median(taken)]),
      );
      return { ratios: ratiosOver(blocked, samples, (perSecond) => perSecond), figures };
    } finally {
      await provider.stop();
      await ground.stop();
    }
  },
};

/** @returns messages a second, from the first arrival to the last */
async function measure(ground: Ground, provider: Provider, held: number, messages: number): Promise<number> {
  const place = await ground.fresh();
  try {
    if (held > 0) await holdUp(place, held);
    await accept(place, 'after', messages);
    await place.query('CHECKPOINT');
    await provider.forget();
    const worker = await place.startWorker(provider.environment);
    try {
      await provider.untilArrived(messages);
      const { atMs } = await provider.arrivals();
      if (atMs.length !== messages) throw new Error(`${atMs.length} messages arrived of ${messages}`);
      return ((messages - 1) * 1_000) / (atMs.at(-1)! - atMs[0]!);
    } finally {
      await worker.stop();
    }
  } finally {
    await place.stop();
  }
}

/** Gives everybody a message whose first call failed, and whose retry is an hour away. */
async function holdUp(place: Place, people: number): Promise<void> {
  await accept(place, 'before', people);
  await place.query(
    `UPDATE deliveries SET status = 'RETRYING', attempt = 1, next_retry_at = now() + interval '1 hour' WHERE ${ofThisRun}`,
  );
  // Vacuum comes by sooner or later; and the jobs of these messages are done.
  await place.query('VACUUM ANALYZE deliveries');
  const redis = new Redis(place.redis.url);
  await redis.flushall();
  redis.disconnect();
}

async function accept(place: Place, name: string, people: number): Promise<void> {
  const producer = startProducer();
  const api = await place.startApi();
  try {
    await producer.call('open', api.url, 1);
    await producer.call('batches', { name, priority: 'medium', count: people / each, each, people });
  } finally {
    await producer.stop();
    await api.stop();
  }
}
