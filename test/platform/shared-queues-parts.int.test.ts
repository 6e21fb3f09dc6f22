import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openRedis } from '../../src/platform/redis/redis.js';
import { withQueuePairs } from './shared-queues-world.js';

const { aPair, counts, redisUrl, closeWorker } = withQueuePairs();

describe('queues that share slots, whose jobs have many parts,', () => {
  it('take a slot for each part of a job: others wait, none are fetched meanwhile, and the urgent start at once', async () => {
    const { high, low, running, done, release, enqueueParts } = aPair();
    await enqueueParts(low, [20, 20, 20, 20]);
    await expect.poll(() => running.low).toBe(8);
    await enqueueParts(high, [20]);
    await expect.poll(() => running.high).toBe(4);
    expect(running.low).toBe(8);
    // A blocking fetch may have had one more on its way.
    expect((await counts(low)).waiting).toBeGreaterThanOrEqual(40);
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, running.high + running.low);
    }, 1);
    release();
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(100);
    clearInterval(watching);
    expect(new Set(done).size).toBe(100);
    expect(most).toBeLessThanOrEqual(18);
    await expect.poll(() => counts(low)).toMatchObject({ waiting: 0, active: 0, failed: 0 });
  });

  it('fetch no more than they have slots for, though many jobs end at once and those behind have many parts', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { low, running, done, enqueue, enqueueParts } = aPair({
      until: (n) => (n < 1_000 ? first.promise : second.promise),
    });
    await enqueue(low, 8);
    await expect.poll(() => running.low).toBe(8);
    await enqueueParts(low, Array(10).fill(20), 1_000);
    first.resolve();
    await expect.poll(() => done.length).toBe(8);
    await expect.poll(() => running.low).toBe(8);
    const fetched = async () => 200 - ((await counts(low)).waiting ?? 0);
    // One for the slots, and one that a blocking fetch had on its way.
    expect(await fetched()).toBeLessThanOrEqual(40);
    second.resolve();
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(208);
  });

  it('fill their slots with jobs of one part that come behind jobs of many', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { low, running, enqueue, enqueueParts } = aPair({
      until: (n) => (n >= 1_000 ? first.promise : second.promise),
    });
    await enqueueParts(low, [8], 1_000);
    await expect.poll(() => running.low).toBe(8);
    await enqueue(low, 20);
    first.resolve();
    await expect.poll(() => running.low).toBe(8);
    expect((await counts(low)).waiting).toBe(12);
    second.resolve();
  });

  it('go on once Redis has lost the jobs that they run', async () => {
    const { low, running, done, release, enqueue, enqueueParts } = aPair();
    await enqueueParts(low, [20, 20]);
    await expect.poll(() => running.low).toBe(8);
    const client = openRedis([redisUrl()], () => undefined);
    await client.flushall();
    client.disconnect();
    release();
    await expect.poll(() => done.length).toBeGreaterThanOrEqual(20);
    await expect
      .poll(async () => {
        await enqueue(low, 1);
        return done.length;
      })
      .toBeGreaterThan(43);
  });

  it('go on with the other parts where one fails, and then fail the job', async () => {
    const { low, done, release, enqueueParts } = aPair({ fails: (n) => n === 1 });
    release();
    await enqueueParts(low, [3]);
    await expect.poll(() => counts(low)).toMatchObject({ waiting: 0, active: 0, failed: 1 });
    expect(done).toEqual(['low-0', 'low-2']);
  });

  it('run what waits for slots with an aborted signal when they close, and nothing stays behind', async () => {
    const { low, running, done, aborted, release, enqueueParts } = aPair();
    await enqueueParts(low, [20]);
    await expect.poll(() => running.low).toBe(8);
    const closing = closeWorker();
    release();
    await closing;
    expect(done).toHaveLength(20);
    expect(aborted()).toBe(12);
    expect(await counts(low)).toMatchObject({ waiting: 0, active: 0, failed: 0 });
  });

  it('go on with parts that wait for slots once a pause is over', async () => {
    let isPaused = false;
    const { low, running, done, release, enqueueParts } = aPair({ pauseMs: () => (isPaused ? 20 : 0) });
    await enqueueParts(low, [20]);
    await expect.poll(() => running.low).toBe(8);
    isPaused = true;
    release();
    await expect.poll(() => done.length).toBe(8);
    await pause(60);
    expect(done).toHaveLength(8);
    isPaused = false;
    await expect.poll(() => done.length).toBe(20);
  });
});
