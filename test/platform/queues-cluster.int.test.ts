import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { implementTask, type TaskHandler } from '../../src/platform/queues/job-runner.js';
import { passOverQueue, repairFixed } from '../../src/platform/queues/queue-repair-pass.js';
import { workQueue } from '../../src/platform/queues/queue-worker.js';
import { defineTask, keysOf, openQueues, type Queues } from '../../src/platform/queues/queues.js';
import { workSharedQueues } from '../../src/platform/queues/shared-queues.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';

const silent = pino({ level: 'silent' });
const UNTIL_THEN = { timeout: 60_000, interval: 50 };
const QUEUES = 4;
const LOCK_MS = 2_000;

let cluster: TestCluster;
let redis: Redis;
let queues: Queues;
let stopLoad: () => Promise<unknown> = async () => undefined;
const workers: { close(): Promise<void> }[] = [];
let made = 0;

beforeAll(async () => {
  cluster = await startTestCluster({ replicas: 3 });
  redis = openRedis(cluster.nodes, () => undefined);
}, 120_000);
afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});
beforeEach(async () => {
  queues = openQueues({ urls: cluster.nodes }, silent);
  // Nodes that a test before has stopped may not take connections yet.
  const names = Array.from({ length: 12 }, (_, n) => `looked-at-${n}`);
  await vi.waitFor(() => Promise.all(names.map((name) => queues.counts(name))), UNTIL_THEN);
}, 60_000);
afterEach(async () => {
  await stopLoad();
  await Promise.all(workers.splice(0).map((one) => one.close()));
  await queues.close();
}, 60_000);

const aTask = () =>
  defineTask({ name: 'count', queue: `counted-${++made}`, payload: z.object({ n: z.number() }) });
type CountTask = ReturnType<typeof aTask>;

/** Works some queues by themselves, and as many that share slots; answers what was run, and how often. */
function workAll(tasks: readonly CountTask[]): ReadonlyMap<string, number> {
  const runs = new Map<string, number>();
  const handlers = tasks.map(
    (task): TaskHandler<unknown> =>
      implementTask(task, async ({ n }) => {
        runs.set(`${task.queue} ${n}`, (runs.get(`${task.queue} ${n}`) ?? 0) + 1);
      }),
  );
  const address = { urls: cluster.nodes };
  const half = tasks.length / 2;
  for (const [index, task] of tasks.slice(0, half).entries())
    workers.push(
      workQueue(address, task.queue, [handlers[index]!], { concurrency: 3, lockDurationMs: LOCK_MS }, silent),
    );
  const shared = tasks
    .slice(half)
    .map((task, index) => ({ queue: task.queue, handlers: [handlers[half + index]!], share: 1 / half }));
  workers.push(workSharedQueues(address, shared, { slots: 6, lockDurationMs: LOCK_MS }, silent));
  return runs;
}

/** Enqueues a job into each queue again and again until it is stopped; each until it is accepted, as an outbox would. */
function enqueueForEver(tasks: readonly CountTask[]): { readonly accepted: ReadonlySet<string> } {
  const accepted = new Set<string>();
  let isRunning = true;
  const loops = tasks.map(async (task) => {
    for (let n = 0; isRunning; ) {
      try {
        await queues.enqueue(task, { n }, { correlationId: 'story', jobId: `j${n}` });
        accepted.add(`${task.queue} ${n}`);
        n += 1;
      } catch {
        // Its job may be there all the same: the id makes the next one no other.
      }
      await pause(5);
    }
  });
  stopLoad = () => {
    isRunning = false;
    return Promise.all(loops);
  };
  return { accepted };
}

/**
 * Lets `fault` happen while jobs are enqueued and run; then every job that was accepted has run, or runs now.
 *
 * @param mayForget whether jobs may be lost that a node had accepted: a master whose place a replica takes may have acknowledged
 *   what that one has not got, as Redis says of every failover. Sweepers enqueue such jobs again, and so does this.
 */
async function endure(fault: (task: CountTask) => Promise<void>, { mayForget = false } = {}): Promise<void> {
  const tasks = Array.from({ length: 2 * QUEUES }, aTask);
  const runs = workAll(tasks);
  const { accepted } = enqueueForEver(tasks);
  await vi.waitFor(() => expect(runs.size).toBeGreaterThan(10 * QUEUES), UNTIL_THEN);
  await fault(tasks[0]!);
  // Every queue goes on.
  const countOf = ({ queue }: CountTask): number =>
    [...runs.keys()].filter((one) => one.startsWith(`${queue} `)).length;
  const before = tasks.map(countOf);
  await vi.waitFor(
    () => expect(tasks.filter((task, index) => countOf(task) < before[index]! + 10)).toEqual([]),
    UNTIL_THEN,
  );
  await stopLoad();
  const missing = (): string[] => [...accepted].filter((one) => !runs.has(one));
  async function sweep(): Promise<void> {
    for (const task of tasks)
      for (const one of missing().filter((name) => name.startsWith(`${task.queue} `))) {
        const n = Number(one.split(' ')[1]);
        await queues.enqueue(task, { n }, { correlationId: 'story', jobId: `j${n}` });
      }
  }
  await vi.waitFor(async () => {
    if (mayForget) await sweep();
    expect(missing()).toEqual([]);
  }, UNTIL_THEN);
  for (const { queue } of tasks)
    await vi.waitFor(
      async () => expect(await queues.counts(queue)).toMatchObject({ waiting: 0, active: 0, failed: 0 }),
      UNTIL_THEN,
    );
}

it('jobs of queues all over a Cluster run once each', async () => {
  const tasks = Array.from({ length: 2 * QUEUES }, aTask);
  const runs = workAll(tasks);
  const nodes = new Set(tasks.map(({ queue }) => cluster.masterOf(keysOf(queue))));
  expect(nodes.size).toBeGreaterThan(1);
  const options = { correlationId: 'story' };
  for (const task of tasks) {
    const jobs = Array.from({ length: 50 }, (_, n) => ({ payload: { n }, options }));
    await queues.enqueueMany(task, jobs);
    await queues.enqueue(task, { n: 50 }, { ...options, delayMs: 300 });
  }
  await vi.waitFor(() => expect(runs.size).toBe(51 * tasks.length), UNTIL_THEN);
  expect([...runs.values()].every((times) => times === 1)).toBe(true);
});

it(
  'all queues go on when the node of some is killed, whose lost jobs can be enqueued again',
  { timeout: 240_000 },
  () =>
    endure(
      async ({ queue }) => {
        const owner = await cluster.ownerOf(keysOf(queue));
        await cluster.kill(owner);
        await vi.waitFor(
          async () => expect(await cluster.ownerOf(keysOf(queue))).not.toBe(owner),
          UNTIL_THEN,
        );
        await cluster.restart(owner);
      },
      { mayForget: true },
    ),
);

it(
  'all queues go on when the node of some is frozen and comes back as a replica, and lost jobs can be enqueued again',
  { timeout: 240_000 },
  () =>
    endure(
      async ({ queue }) => {
        const owner = await cluster.ownerOf(keysOf(queue));
        cluster.freeze(owner);
        try {
          await vi.waitFor(
            async () => expect(await cluster.ownerOf(keysOf(queue))).not.toBe(owner),
            UNTIL_THEN,
          );
          await pause(1_000);
        } finally {
          cluster.thaw(owner);
        }
      },
      { mayForget: true },
    ),
);

it(
  'no accepted job is lost when the slot of its queue moves, however long that takes',
  () =>
    endure(async ({ queue }) => {
      const owner = await cluster.ownerOf(keysOf(queue));
      const others = await Promise.all(
        ['{a}', '{b}', '{c}', '{d}', '{e}'].map((key) => cluster.ownerOf(key)),
      );
      await cluster.moveSlot(keysOf(queue), others.find((one) => one !== owner)!, () => pause(3_000));
    }),
  240_000,
);

it('workers close within seconds while the node of their queue is away', async () => {
  const tasks = [aTask(), aTask()];
  const runs = workAll(tasks);
  await queues.enqueue(tasks[0]!, { n: 0 }, { correlationId: 'story' });
  await vi.waitFor(() => expect(runs.size).toBe(1), UNTIL_THEN);
  const owner = await cluster.ownerOf(keysOf(tasks[0]!.queue));
  cluster.freeze(owner);
  try {
    const began = performance.now();
    await Promise.all(workers.splice(0).map((one) => one.close()));
    expect(performance.now() - began).toBeLessThan(10_000);
  } finally {
    cluster.thaw(owner);
  }
});

it('a queue is not repaired while its slot moves, and no job of it is taken for a lost one', async () => {
  const task = aTask();
  const prefix = keysOf(task.queue);
  const jobs = Array.from({ length: 200 }, (_, n) => ({
    payload: { n },
    options: { correlationId: 'story' },
  }));
  await queues.enqueueMany(task, jobs);
  await redis.set(`${prefix}:garbage`, 'garbage');
  await repairFixed(redis, prefix, true);
  const owner = await cluster.ownerOf(prefix);
  const others = await Promise.all(['{a}', '{b}', '{c}', '{d}', '{e}'].map((key) => cluster.ownerOf(key)));
  await cluster.moveSlot(prefix, others.find((one) => one !== owner)!, async () => {
    await expect(passOverQueue(redis, prefix)).rejects.toThrow('Too many Cluster redirections');
  });
  await vi.waitFor(async () => {
    await redis.del(`${prefix}:repair-lease`);
    expect(await passOverQueue(redis, prefix)).toBe('in repair');
  }, UNTIL_THEN);
  expect(await redis.exists(`${prefix}:garbage`)).toBe(0);
  expect(await queues.counts(task.queue)).toMatchObject({ waiting: 200 });
});
