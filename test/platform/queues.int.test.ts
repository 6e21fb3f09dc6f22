import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { implementTask } from '../../src/platform/queues/job-runner.js';
import { observeQueues } from '../../src/platform/queues/queue-depth.js';
import { workQueue } from '../../src/platform/queues/queue-worker.js';
import { defineTask, keysOf, openQueues, type Queues } from '../../src/platform/queues/queues.js';
import { workSharedQueues } from '../../src/platform/queues/shared-queues.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

const silent = pino({ level: 'silent' });
const greet = defineTask({ name: 'greet', queue: 'greetings', payload: z.object({ name: z.string() }) });
const story = { correlationId: 'story' };
let server: TestRedis;
let proxy: FaultyProxy;
let queues: Queues;

beforeEach(async () => {
  server = await startTestRedis();
  proxy = await startFaultyProxy(server.url);
  queues = openQueues({ urls: [proxy.url] }, silent);
});
afterEach(async () => {
  await queues.close();
  await proxy.close();
  await server.stop();
});

async function losingRedis(): Promise<void> {
  await proxy.refuse();
  proxy.cut();
}

it('enqueueing rejects while Redis is away, and works once it is back', async () => {
  await queues.enqueue(greet, { name: 'ann' }, story);
  await losingRedis();
  await expect(queues.enqueue(greet, { name: 'ben' }, story)).rejects.toThrow();
  await expect(queues.enqueueMany(greet, [{ payload: { name: 'cy' }, options: story }])).rejects.toThrow();
  await proxy.accept();
  await vi.waitFor(() => queues.enqueue(greet, { name: 'dee' }, story), { timeout: 10_000 });
  await expect(queues.counts(greet.queue)).resolves.toMatchObject({ waiting: 2 });
});

it('parts of jobs that wait are counted, also where a job cannot be read, and estimated from the 1,000 that are next', async () => {
  const enqueue = (sizes: readonly number[]): Promise<void> =>
    queues.enqueueMany(
      greet,
      sizes.map((parts) => ({ payload: { name: 'all' }, options: { ...story, parts } })),
    );
  await queues.enqueue(greet, { name: 'ann' }, story);
  await enqueue([20, 20, 5]);
  await expect(queues.counts(greet.queue)).resolves.toMatchObject({ waiting: 46, active: 0 });
  const redis = openRedis([server.url], () => undefined);
  for (const id of await redis.lrange(`${keysOf(greet.queue)}:wait`, 0, -1))
    await redis.hset(`${keysOf(greet.queue)}:${id}`, 'data', '{"a":');
  redis.disconnect();
  await expect(queues.counts(greet.queue)).resolves.toMatchObject({ waiting: 46, active: 0 });
  await enqueue(Array.from({ length: 1_496 }, () => 20));
  const { waiting } = await queues.counts(greet.queue);
  expect(waiting! / 1_500).toBeCloseTo(19.966, 2);
});

it('enqueueing rejects when Redis has gone silent, and works on a new connection', async () => {
  await queues.enqueue(greet, { name: 'ann' }, story);
  proxy.silence();
  await expect(queues.enqueue(greet, { name: 'ben' }, story)).rejects.toThrow();
  await vi.waitFor(() => queues.enqueue(greet, { name: 'cy' }, story), { timeout: 10_000 });
});

it('workers go on within 20 s on new connections when Redis has gone silent on theirs', async () => {
  const url = proxy.url;
  const part = defineTask({ name: 'part', queue: 'partings', payload: greet.payload });
  const done: string[] = [];
  const note = async ({ name }: { name: string }): Promise<void> => void done.push(name);
  const [greeting, parting] = [implementTask(greet, note), implementTask(part, note)];
  const shared = [{ queue: part.queue, handlers: [parting], share: 1 }];
  const workers = [
    workQueue({ urls: [url] }, greet.queue, [greeting], { concurrency: 1, lockDurationMs: 2_000 }, silent),
    workSharedQueues({ urls: [url] }, shared, { slots: 1, lockDurationMs: 2_000 }, silent),
  ];
  const enqueue = async (to: Queues, name: string): Promise<unknown> =>
    Promise.all([greet, part].map((task) => to.enqueue(task, { name: `${task.name} ${name}` }, story)));
  await enqueue(queues, 'ann');
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['greet ann', 'part ann']), { timeout: 20_000 });
  proxy.silence();
  const others = openQueues({ urls: [server.url] }, silent);
  await enqueue(others, 'ben');
  await vi.waitFor(() => expect(done).toEqual(expect.arrayContaining(['greet ben', 'part ben'])), {
    timeout: 20_000,
  });
  await Promise.all([...workers, others].map((one) => one.close()));
}, 60_000);

it('queues and workers close while Redis is away, and what runs is waited for', async () => {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let finished = false;
  const handler = implementTask(greet, async (_, job) => {
    started.resolve();
    job.signal.addEventListener('abort', () => finish.resolve());
    await finish.promise;
    finished = true;
  });
  const worker = workQueue(
    { urls: [proxy.url] },
    greet.queue,
    [handler],
    { concurrency: 2, lockDurationMs: 30_000 },
    silent,
  );
  await queues.enqueue(greet, { name: 'ann' }, story);
  await started.promise;
  await losingRedis();
  await Promise.all([worker.close(), queues.close()]);
  expect(finished).toBe(true);
});

it('jobs are measured by queue and state, and a scrape works without Redis', async () => {
  const registry = new Registry();
  observeQueues(registry, queues, [greet.queue]);
  await queues.enqueue(greet, { name: 'ann' }, story);
  await queues.enqueue(greet, { name: 'ben' }, { ...story, delayMs: 60_000 });
  const text = await registry.metrics();
  expect(text).toContain('queue_jobs{queue="greetings",state="waiting"} 1');
  expect(text).toContain('queue_jobs{queue="greetings",state="delayed"} 1');
  await losingRedis();
  await expect(registry.metrics()).resolves.not.toMatch(/^queue_jobs\{/m);
});
