import { afterAll, afterEach, beforeAll } from 'vitest';
import { z } from 'zod';
import type { WatchPace } from '../../src/platform/loop-pace.js';
import { implementTask } from '../../src/platform/queues/job-runner.js';
import { defineTask, openQueues, type Queues, type Task } from '../../src/platform/queues/queues.js';
import { workSharedQueues } from '../../src/platform/queues/shared-queues.js';
import { silent } from '../notifications/with-sandbox.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

/** Else what is lent would hang on how busy the machine is. */
const lendAll: WatchPace = (onChange) => {
  onChange(1);
  return { slowDown: () => undefined, close: () => undefined };
};

interface Numbered {
  readonly n: number;
  /** Of the job: numbered from `n` on. */
  readonly parts?: number | undefined;
}

/** Pairs of queues on a Redis of the file's own: one pair works at a time, until its test ends. */
export function withQueuePairs() {
  let redis: TestRedis;
  let queues: Queues;
  let worker: { close(): Promise<void> } | undefined;
  let made = 0;

  beforeAll(async () => {
    redis = await startTestRedis();
    queues = openQueues({ urls: [redis.url] }, silent);
  });
  afterEach(async () => {
    await worker?.close();
    worker = undefined;
  });
  afterAll(async () => {
    await queues.close();
    await redis.stop();
  });

  /** A high and a low queue that share ten slots, and what runs in them until it is let go. */
  function aPair({
    fails = () => false,
    until,
    ...own
  }: {
    /** What a job's part waits for; by default until all are let go. */
    until?: (n: number) => Promise<void>;
    pauseMs?: () => number;
    watchPace?: WatchPace;
    fails?: (n: number) => boolean;
  } = {}) {
    made += 1;
    const stem = `pair-${made}`;
    const payload = z.object({ n: z.number(), parts: z.number().optional() });
    const task = (name: string): Task<Numbered> =>
      defineTask({ name: 'work', queue: `${stem}.${name}`, payload });
    const [high, low] = [task('high'), task('low')];
    const running = { high: 0, low: 0 };
    const done: string[] = [];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let abortedAtFirst = 0;
    const handle = (name: 'high' | 'low', of: Task<Numbered>) =>
      implementTask(
        of,
        async ({ n }, { signal }) => {
          if (signal.aborted) abortedAtFirst += 1;
          running[name] += 1;
          await (until?.(n) ?? released);
          running[name] -= 1;
          if (fails(n)) throw new Error(`${n} fails`);
          done.push(`${name}-${n}`);
        },
        {
          of: ({ payload: { n, parts = 1 }, correlationId }) =>
            Array.from({ length: parts }, (_, m) => ({ payload: { n: n + m }, correlationId })),
          most: 20,
        },
      );
    worker = workSharedQueues(
      { urls: [redis.url] },
      [
        { queue: high.queue, handlers: [handle('high', high)], share: 0.4 },
        { queue: low.queue, handlers: [handle('low', low)], share: 0.2 },
      ],
      { slots: 10, lockDurationMs: 5_000, watchPace: lendAll, ...own },
      silent,
    );
    const enqueueParts = (of: Task<Numbered>, sizes: readonly number[], from = 0) =>
      queues.enqueueMany(
        of,
        sizes.map((parts, index) => ({
          payload: { n: from + index * 100, parts },
          options: { correlationId: 'test', parts },
        })),
      );
    const enqueue = (of: Task<Numbered>, count: number) =>
      queues.enqueueMany(
        of,
        Array.from({ length: count }, (_, n) => ({ payload: { n }, options: { correlationId: 'test' } })),
      );
    return { high, low, running, done, aborted: () => abortedAtFirst, release, enqueue, enqueueParts };
  }

  /** Jobs that wait in the next pair's low queue before anybody works it. */
  async function enqueueBefore(count: number): Promise<void> {
    const task = defineTask({
      name: 'work',
      queue: `pair-${made + 1}.low`,
      payload: z.object({ n: z.number() }),
    });
    for (let n = 0; n < count; n += 1) await queues.enqueue(task, { n }, { correlationId: 'test' });
  }

  return {
    aPair,
    enqueueBefore,
    counts: (of: Task<Numbered>) => queues.counts(of.queue),
    redisUrl: () => redis.url,
    closeWorker: () => worker!.close(),
  };
}
