import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { median, type Samples } from '../../harness/rounds.ts';
import { type Ground, openGround, type Place } from '../notify-ground/ground.ts';
import { startProducer } from '../notify-ground/producer.ts';
import type { ProducerMethods } from '../notify-ground/producer-process.ts';
import type { RetentionMethods } from './retention-process.ts';

const people = 10_000;
const senders = 64;
const BEGIN_WITHIN_MS = 60_000;
const RATIO = 'p99-within-2';

/** What intake takes while retention lets go a hundred thousand notifications, over what it takes alone. */
export const notifyRetention: Benchmark = {
  name: 'notify.retention',
  summary:
    'notifications accepted over REST by 64 connections while old ones are let go, and while they are not',
  targets: { [RATIO]: 1 },
  async run(context) {
    const old = await readFile(new URL('./old.sql', import.meta.url), 'utf8');
    const ground = await openGround(people, { sql: old });
    const producer = startProducer();
    try {
      const contestants = [false, true].map((lettingGo) => ({
        name: lettingGo ? 'with' : 'without',
        measure: () => measure(ground, producer, lettingGo, context),
      }));
      return outcomeOf(
        await context.rounds(contestants, (name, { perSecond, p99Ms, gone }) =>
          context.note(
            `${name}: ${Math.round(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms, ${gone} requests let go`,
          ),
        ),
      );
    } finally {
      await producer.stop();
      await ground.stop();
    }
  },
};

interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests that were let go meanwhile. */
  readonly gone: number;
}

async function measure(
  ground: Ground,
  producer: Child<ProducerMethods>,
  lettingGo: boolean,
  { quick }: BenchContext,
): Promise<Sample> {
  const place = await ground.fresh();
  const retention = startChild<RetentionMethods>(new URL('./retention-process.ts', import.meta.url));
  try {
    const api = await place.startApi();
    try {
      const [warmUpSeconds, seconds] = quick ? [1, 3] : [5, 15];
      await producer.call('open', api.url, senders);
      const before = await oldRequests(place);
      if (lettingGo) {
        await retention.call('start', place.databaseUrl, place.redis.url);
        await untilBegun(place, before);
      }
      const { tookMs } = await producer.call('flood', {
        connections: senders,
        warmUpSeconds,
        seconds,
        people,
      });
      const left = await oldRequests(place);
      if (lettingGo) await retention.call('stop');
      if (lettingGo !== left < before) throw new Error(`of ${before} old requests ${left} are left`);
      return { perSecond: tookMs.length / seconds, ...latencyOf(tookMs), gone: before - left };
    } finally {
      await api.stop();
    }
  } finally {
    await retention.stop();
    await place.stop();
  }
}

async function untilBegun(place: Place, before: number): Promise<void> {
  const deadline = performance.now() + BEGIN_WITHIN_MS;
  while ((await oldRequests(place)) === before) {
    if (performance.now() > deadline) throw new Error('retention lets nothing go');
    await pause(100);
  }
}

async function oldRequests(place: Place): Promise<number> {
  const [row] = await place.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM notification_requests WHERE notification_id LIKE 'old-%'`,
  );
  return row?.count ?? 0;
}

function outcomeOf(samples: Samples<Sample>): Outcome {
  const figures: Record<string, number> = {};
  const p99: Record<string, number> = {};
  for (const [name, taken] of samples) {
    const of = (figure: keyof Sample): number => median(taken.map((sample) => sample[figure]));
    p99[name] = of('p99Ms');
    figures[`${name} requests/s`] = of('perSecond');
    figures[`${name} p50 ms`] = of('p50Ms');
    figures[`${name} p99 ms`] = p99[name];
    if (name === 'with') figures['requests let go'] = of('gone');
  }
  return { ratios: { [RATIO]: (2 * p99.without!) / p99.with! }, figures };
}
