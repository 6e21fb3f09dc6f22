import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type WatchPace, watchLoopPace } from '../../src/platform/loop-pace.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { withQueuePairs } from './shared-queues-world.js';

const { aPair, enqueueBefore, counts, redisUrl, closeWorker } = withQueuePairs();

describe('queues that share slots', () => {
  it('start the urgent at once, though the others have borrowed what they may and never end', async () => {
    const { high, low, running, release, enqueue } = aPair();
    await enqueue(low, 50);
    await expect.poll(() => running.low).toBe(8);
    await enqueue(high, 4);
    await expect.poll(() => running.high).toBe(4);
    expect(running.low).toBe(8);
    release();
  });

  it('ask Redis a few times for a job that comes alone, whatever they may start', async () => {
    const { high, done, release, enqueue } = aPair();
    release();
    const client = openRedis([redisUrl()], () => undefined);
    const scripts = async (): Promise<number> =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
    await enqueue(high, 1);
    await expect.poll(() => done.length).toBe(1);
    const before = await scripts();
    for (let jobs = 2; jobs <= 21; jobs += 1) {
      await enqueue(high, 1);
      await expect.poll(() => done.length, { interval: 5 }).toBe(jobs);
    }
    // One adds it, three fetch it and look for more, one ends it; the rest is for what workers do every few seconds.
    expect(await scripts()).toBeLessThan(before + 20 * 6);
    client.disconnect();
  });

  it('lend next to nothing at first, and again from when an urgent job had to wait', async () => {
    const lent: number[] = [];
    let slowedDown = 0;
    const watchPace: WatchPace = (onChange) => {
      const pace = watchLoopPace((part) => {
        lent.push(part);
        onChange(part);
      });
      const slowDown = (): void => {
        slowedDown += 1;
      };
      return { ...pace, slowDown };
    };
    let isPaused = true;
    const { high, running, release, enqueue } = aPair({ watchPace, pauseMs: () => (isPaused ? 50 : 0) });
    await enqueue(high, 1);
    // The job has to wait from when it was made, however long that took.
    await pause(200);
    isPaused = false;
    await expect.poll(() => running.high).toBe(1);
    expect(lent[0]).toBe(1 / 16);
    expect(slowedDown).toBe(1);
    release();
  });

  it('run every job once, whatever the slots', async () => {
    const { high, low, done, release, enqueue } = aPair();
    await Promise.all([enqueue(low, 60), enqueue(high, 60)]);
    release();
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(120);
    expect(new Set(done).size).toBe(120);
  });

  it('start nothing while they are to pause, and go on afterwards', async () => {
    let isPaused = true;
    let asked = 0;
    const pauseMs = () => {
      asked += 1;
      return isPaused ? 20 : 0;
    };
    const { high, done, release, enqueue } = aPair({ pauseMs });
    release();
    await enqueue(high, 3);
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before + 10);
    expect(done).toEqual([]);
    isPaused = false;
    await expect.poll(() => done.length).toBe(3);
  });

  it('finish what runs before they close, and leave the rest to others', async () => {
    const { low, running, done, release, enqueue } = aPair();
    await enqueue(low, 50);
    await expect.poll(() => running.low).toBe(8);
    const closing = closeWorker();
    release();
    await closing;
    expect(done).toHaveLength(8);
    expect(await counts(low)).toMatchObject({ waiting: 42, active: 0 });
  });

  it('wait for a job that was just being fetched when they were closed', async () => {
    const closing = Promise.withResolvers<void>();
    const pauseMs = () => {
      // What this answers lets the next fetch go: by the time it is answered, the worker is closing.
      queueMicrotask(() => closing.resolve(closeWorker()));
      return 0;
    };
    await enqueueBefore(1);
    const { low, running, done, release } = aPair({ pauseMs });
    const isClosed = closing.promise.then(() => true);
    await expect.poll(() => running.low).toBe(1);
    const closedMeanwhile = await Promise.race([isClosed, pause(500, false)]);
    release();
    expect(closedMeanwhile).toBe(false);
    await closing.promise;
    expect(done).toEqual(['low-0']);
    expect(await counts(low)).toMatchObject({ waiting: 0, active: 0 });
  });

  it('leave to others what comes while they wait for what runs', async () => {
    const { low, running, done, release, enqueue } = aPair();
    await enqueue(low, 1);
    await expect.poll(() => running.low).toBe(1);
    const closing = closeWorker();
    const client = openRedis([redisUrl()], () => undefined);
    // Neither of both queues waits for a job any more; else each does for 5 s.
    await expect.poll(() => client.info('clients'), { timeout: 4_000 }).toMatch(/^blocked_clients:0\r$/m);
    client.disconnect();
    await enqueue(low, 1);
    release();
    await closing;
    expect(done).toHaveLength(1);
    expect(await counts(low)).toMatchObject({ waiting: 1, active: 0 });
  });
});
