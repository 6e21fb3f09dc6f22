import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { implementTask } from '../../src/platform/queues/job-runner.js';
import { passOverQueue, repairFixed } from '../../src/platform/queues/queue-repair-pass.js';
import { workQueue } from '../../src/platform/queues/queue-worker.js';
import { defineTask, keysOf, openQueues, type Queues } from '../../src/platform/queues/queues.js';
import { openFailingRedis, openRedis, type Redis, type SingleRedis } from '../../src/platform/redis/redis.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const silent = pino({ level: 'silent' });
let server: TestRedis;
let redis: Redis;
let queues: Queues;
let made = 0;

beforeAll(async () => {
  server = await startTestRedis();
  redis = openRedis([server.url], () => undefined);
  queues = openQueues({ urls: [server.url] }, silent);
});
afterAll(async () => {
  await queues.close();
  redis.disconnect();
  await server.stop();
});

/** A queue in a Redis that holds nothing else: a repair reads the names of all keys. */
async function openTrial() {
  await redis.flushall();
  const queue = `repaired-${++made}`;
  const task = defineTask({ name: 'greet', queue, payload: z.object({ name: z.string() }) });
  const keys = keysOf(queue);

  /** Every other job has a deduplication id. */
  async function enqueue(count: number, first = 0): Promise<void> {
    const jobs = Array.from({ length: count }, (_, index) => {
      const name = `n${first + index}`;
      return {
        payload: { name },
        options: { correlationId: 'story', ...(index % 2 ? { deduplicationId: name } : {}) },
      };
    });
    for (let index = 0; index < count; index += 1_000)
      await queues.enqueueMany(task, jobs.slice(index, index + 1_000));
  }

  /** Passes that follow each other at once. */
  async function repair(by = redis): Promise<void> {
    while ((await passOverQueue(by, keys)) !== 'in repair') await expireLease();
  }
  const expireLease = () => redis.del(`${keys}:repair-lease`);

  /** What a sound queue holds is what its list says. */
  async function expectSound(expected: readonly string[]): Promise<void> {
    expect(await redis.lrange(`${keys}:wait`, 0, -1)).toEqual(expected);
    const names = (await redis.keys('*'))
      .filter((key) => key.startsWith(`${keys}:`))
      .map((key) => key.slice(keys.length + 1));
    expect(names.filter((name) => /^\d+$/.test(name)).sort()).toEqual([...expected].sort());
    const deduplicated = names.filter((name) => name.startsWith('de:'));
    for (const name of deduplicated) expect(expected).toContain(await redis.get(`${keys}:${name}`));
    expect(names.filter((name) => name.startsWith('repair-due') || name.startsWith('repair-lease'))).toEqual(
      [],
    );
  }

  /** Jobs that stay, and jobs that are in no list any more. */
  async function openDamaged() {
    await enqueue(600);
    const lost = await redis.lpop(`${keys}:wait`, 250);
    const kept = await redis.lrange(`${keys}:wait`, 0, -1);
    expect([lost!.length, kept.length]).toEqual([250, 350]);
    await redis.set(`${keys}:odd`, 'garbage');
    await repairFixed(redis, keys, true);
    return kept;
  }

  return { queue, task, keys, enqueue, repair, expireLease, expectSound, openDamaged };
}

/** A connection on which something happens before each command. */
async function openSlow(before: (count: number) => Promise<void>): Promise<Redis> {
  const slow = openFailingRedis([server.url], () => undefined) as SingleRedis;
  await vi.waitFor(() => expect(slow.status).toBe('ready'), 20_000);
  const send = slow.sendCommand.bind(slow);
  let count = 0;
  slow.sendCommand = (command, stream) => {
    if (stream) return send(command, stream);
    count += 1;
    before(count).then(() => {
      void send(command);
    }, command.reject);
    return command.promise;
  };
  return slow;
}

describe('a repair of a queue', () => {
  it('takes calls in proportion to the jobs, each about a few hundred of them', async () => {
    const monitor = await (openRedis([server.url], () => undefined) as SingleRedis).monitor();
    let isOver = false;
    let scripts = 0;
    let inScript = 0;
    let longest = 0;
    let widest = 0;
    monitor.on('monitor', (_time: string, [name = '', ...args]: string[], source: string) => {
      const command = name.toLowerCase();
      if (args.includes('over')) isOver = true;
      if (command === 'evalsha' || command === 'eval') scripts += 1;
      inScript = source === 'lua' ? inScript + 1 : 0;
      longest = Math.max(longest, inScript);
      if (/^(?:lrange|zrange)$/.test(command)) widest = Math.max(widest, Number(args[2]) - Number(args[1]));
      if (command === 'lpop') widest = Math.max(widest, Number(args[1]));
      if (/^(?:hgetall|smembers|hkeys|keys)$/.test(command)) widest = Number.POSITIVE_INFINITY;
    });
    async function measure(count: number) {
      const trial = await openTrial();
      await trial.enqueue(count);
      const lost = await redis.lpop(`${trial.keys}:wait`, count / 10);
      await repairFixed(redis, trial.keys, true);
      await redis.echo('begins');
      await vi.waitFor(() => expect(inScript).toBe(0), 20_000);
      [scripts, longest, widest, isOver] = [0, 0, 0, false];
      await trial.repair();
      await redis.echo('over');
      await vi.waitFor(() => expect(isOver).toBe(true), { timeout: 60_000 });
      const found = { scripts, longest, widest };
      expect(await redis.exists(...lost!.map((id) => `${trial.keys}:${id}`))).toBe(0);
      expect(await redis.llen(`${trial.keys}:wait`)).toBe(count - count / 10);
      return found;
    }
    const few = await measure(5_000);
    const many = await measure(20_000);
    expect(many.scripts).toBeGreaterThan(100);
    expect(many.scripts).toBeLessThan(5 * few.scripts);
    expect(many.longest).toBeLessThan(2_500);
    expect(many.widest).toBeLessThanOrEqual(500);
    monitor.disconnect();
  }, 240_000);

  it('is followed by another pass where something was noticed while it went on, at whatever step', async () => {
    let step = 1;
    for (let isSpoilt = true; isSpoilt; step += 1) {
      const { keys, enqueue, repair, expireLease, expectSound } = await openTrial();
      await enqueue(600);
      await repairFixed(redis, keys, true);
      isSpoilt = false;
      const slow = await openSlow(async (count) => {
        if (count !== step) return;
        isSpoilt = true;
        await redis.set(`${keys}:wait`, 'garbage');
        await repairFixed(redis, keys, false);
      });
      expect(await passOverQueue(slow, keys)).toBe(isSpoilt ? 'due' : 'in repair');
      slow.disconnect();
      await expireLease();
      if (isSpoilt) await repair().then(() => expectSound([]));
    }
    expect(step).toBeGreaterThan(10);
  }, 120_000);

  it('is made again by another process where one died in it, at whatever step', async () => {
    let step = 2;
    for (let isDead = true; isDead; step += 1) {
      const { keys, repair, expireLease, expectSound, openDamaged } = await openTrial();
      const kept = await openDamaged();
      isDead = false;
      const dying = await openSlow(async (count) => {
        if (count < step) return;
        isDead = true;
        throw new Error('dead');
      });
      const passed = await passOverQueue(dying, keys).catch((error: Error) => error.message);
      expect(passed).toBe(isDead ? 'dead' : 'due');
      dying.disconnect();
      expect(await redis.exists(`${keys}:repair-due`)).toBe(1);
      expect(await redis.pttl(`${keys}:repair-lease`)).toBeGreaterThan(0);
      expect(await passOverQueue(redis, keys)).toBe('elsewhere');
      await expireLease();
      await repair();
      await expectSound(kept);
    }
    expect(step).toBeGreaterThan(10);
  }, 120_000);

  it('changes nothing once another process has taken over, at whatever step', async () => {
    let step = 2;
    /** But for copies that the repairer made for itself. */
    const otherKeys = async () =>
      (await redis.keys('*')).filter((key) => !key.includes(':repair-copy:')).sort();
    for (let isLost = true; isLost; step += 1) {
      const { keys, openDamaged } = await openTrial();
      await openDamaged();
      isLost = false;
      let then: string[] = [];
      const late = await openSlow(async (count) => {
        if (count !== step) return;
        isLost = true;
        await redis.set(`${keys}:repair-lease`, 'another', 'PX', 60_000);
        then = await otherKeys();
      });
      const passed = await passOverQueue(late, keys).catch((error: Error) => error.message);
      late.disconnect();
      expect(passed).toMatch(isLost ? 'LEASELOST' : 'due');
      if (!isLost) break;
      expect(await redis.get(`${keys}:repair-lease`)).toBe('another');
      expect(await redis.exists(`${keys}:repair-due`)).toBe(1);
      expect(await otherKeys()).toEqual(then);
    }
    expect(step).toBeGreaterThan(10);
  }, 120_000);

  it('leaves a job alone that was in no list for a while, at whatever step', async () => {
    let step = 2;
    for (let isBack = true; isBack; step += 1) {
      const { keys, enqueue, expectSound } = await openTrial();
      await enqueue(3);
      const waiting = await redis.lrange(`${keys}:wait`, 0, -1);
      await repairFixed(redis, keys, true);
      isBack = false;
      // As one that is run, is to be tried again later, and waits again.
      const slow = await openSlow(async (count) => {
        if (count === step)
          await redis.multi().lpop(`${keys}:wait`).zadd(`${keys}:delayed`, 1, waiting[0]!).exec();
        if (count !== step + 1) return;
        isBack = true;
        const job = `${keys}:${waiting[0]}`;
        await redis
          .multi()
          .del(`${keys}:delayed`)
          .lpush(`${keys}:wait`, waiting[0]!)
          .hincrby(job, 'ats', 1)
          .exec();
      });
      expect(await passOverQueue(slow, keys)).toBe('in repair');
      slow.disconnect();
      if (isBack) await expectSound(waiting);
    }
    expect(step).toBeGreaterThan(6);
  }, 120_000);

  it('goes on while it reads lists that take longer to read than its lease lasts', async () => {
    const { keys, enqueue, expireLease } = await openTrial();
    await enqueue(3_000);
    await redis.lpop(`${keys}:wait`, 10);
    await repairFixed(redis, keys, true);
    let reads = 0;
    const slow = await openSlow(async () => {
      // As if it were slow: what is left of the lease and the copies is a moment at each step that reads a copy.
      const copies = await redis.keys(`${keys}:repair-copy:*`);
      if (copies.length === 0) return;
      reads += 1;
      for (const key of [...copies, `${keys}:repair-lease`]) {
        if ((await redis.pttl(key)) > 0) expect(await redis.pttl(key)).toBeGreaterThan(4_500);
        await redis.pexpire(key, 4_000);
      }
    });
    expect(await passOverQueue(slow, keys)).toBe('due');
    slow.disconnect();
    expect(reads).toBeGreaterThan(5);
    expect(await redis.llen(`${keys}:wait`)).toBe(2_990);
    await expireLease();
    expect(await passOverQueue(redis, keys)).toBe('in repair');
  }, 120_000);

  it('is due once something was noticed, though Redis is full', async () => {
    const { keys, repair, enqueue, expectSound } = await openTrial();
    await enqueue(300);
    const lost = await redis.lpop(`${keys}:wait`, 100);
    const kept = await redis.lrange(`${keys}:wait`, 0, -1);
    await redis.config('SET', 'maxmemory', '1');
    try {
      expect(await repairFixed(redis, keys, true)).toBe(true);
      expect(await redis.exists(`${keys}:repair-due`)).toBe(1);
    } finally {
      await redis.config('SET', 'maxmemory', '0');
    }
    await repair();
    expect(await redis.exists(...lost!.map((id) => `${keys}:${id}`))).toBe(0);
    await expectSound(kept);
  });

  it('loses no job and runs none twice, whatever moves meanwhile', async () => {
    const { queue, task, keys, enqueue, expireLease } = await openTrial();
    await enqueue(2_000);
    const named: string[] = [];
    const greet = implementTask(task, async ({ name }) => void named.push(name));
    const worker = workQueue(
      { urls: [server.url] },
      queue,
      [greet],
      { concurrency: 20, lockDurationMs: 30_000 },
      silent,
    );
    let enqueued = 2_000;
    for (let passes = 0; passes < 20 || named.length < enqueued; passes += 1) {
      if (passes < 20) {
        await enqueue(200, enqueued);
        enqueued += 200;
      }
      await repairFixed(redis, keys, true);
      expect(await passOverQueue(redis, keys)).not.toBe('due');
      await expireLease();
    }
    await worker.close();
    expect(new Set(named).size).toBe(enqueued);
    expect(named).toHaveLength(enqueued);
  }, 120_000);
});
