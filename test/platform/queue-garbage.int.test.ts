import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { implementTask } from '../../src/platform/queues/job-runner.js';
import { workQueue } from '../../src/platform/queues/queue-worker.js';
import {
  defineTask,
  type EnqueueOptions,
  keysOf,
  openQueues,
  type Queues,
} from '../../src/platform/queues/queues.js';
import { workSharedQueues } from '../../src/platform/queues/shared-queues.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { garbage, replaceKey } from '../support/garbage.js';
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

/** A queue of its own for each test, so that they run beside each other: most of their time is waiting. */
function openTrial(isShared: boolean) {
  const queue = `greetings-${++made}`;
  const greet = defineTask({ name: 'greet', queue, payload: z.object({ name: z.string() }) });
  const named: string[] = [];
  const held = new Set<string>();
  const handler = implementTask(greet, async ({ name }) => {
    named.push(name);
    while (held.has(name)) await pause(20);
  });
  const start = () =>
    isShared
      ? workSharedQueues(
          { urls: [server.url] },
          [{ queue, handlers: [handler], share: 1 }],
          { slots: 2, lockDurationMs: 500 },
          silent,
        )
      : workQueue({ urls: [server.url] }, queue, [handler], { concurrency: 2, lockDurationMs: 500 }, silent);

  const enqueue = (name: string, own: Partial<EnqueueOptions> = {}) =>
    queues.enqueue(greet, { name }, { correlationId: 'story', ...own });

  /** Each kind of job is enqueued, again where it was lost as sweepers do, and run. */
  async function works(ids = ['one']): Promise<void> {
    for (const own of [{}, ...ids.map((deduplicationId) => ({ deduplicationId })), { delayMs: 20 }]) {
      await vi.waitFor(
        async () => {
          const name = `n${++made}`;
          await enqueue(name, own);
          await vi.waitFor(() => expect(named).toContain(name), { timeout: 1_000, interval: 10 });
        },
        { timeout: 60_000, interval: 20 },
      );
    }
    const look = () => Promise.all([queues.counts(queue), queues.oldestWaitingAt(queue)]);
    await vi.waitFor(look, { timeout: 30_000, interval: 50 });
  }
  return { keys: keysOf(queue), start, works, enqueue, named, held };
}

const KEYS = [
  ...['wait', 'active', 'delayed', 'prioritized', 'completed', 'failed', 'events', 'meta', 'id', 'marker'],
  ...['stalled', 'stalled-check', 'limiter', 'pc', 'paused', 'de:one', 'dn:one', '1'],
];

/** What may become of a key that is there. */
const SPOILT: readonly ((key: string) => Promise<unknown>)[] = [
  ...['text', 'nothing in a string', 'list', 'hash', 'sorted set'].map(
    (what) => (key: string) => replaceKey(redis, key, (scratchKey) => garbage[what]!(redis, scratchKey)),
  ),
  (key) =>
    replaceKey(redis, key, async (scratchKey) => {
      await redis.copy(key, scratchKey);
      if ((await redis.type(scratchKey)) !== 'hash') await redis.set(scratchKey, '{"a":');
      else for (const field of await redis.hkeys(scratchKey)) await redis.hset(scratchKey, field, '{"a":');
    }),
  (key) => redis.del(key),
];

/** To BullMQ's scripts any text is like another. */
const KINDS = ['text', 'nothing in a string', 'list', 'hash', 'sorted set'];

describe.concurrent.each([
  ['a queue of its own', false],
  ['a queue that shares its slots', true],
])('%s', (_kind, isShared) => {
  it.each(KEYS)(
    'works again, whatever stands at its key %s',
    async (name) => {
      const { keys, start, works } = openTrial(isShared);
      const worker = start();
      await works();
      for (const what of KINDS) {
        await replaceKey(redis, `${keys}:${name}`, (scratchKey) => garbage[what]!(redis, scratchKey));
        await works().catch((error: unknown) => {
          throw new Error(`${what} at ${name}`, { cause: error });
        });
      }
      await worker.close();
    },
    240_000,
  );

  it.each(SPOILT.map((_, round) => round))(
    'works again, for those that waited or ran, when all keys hold garbage of all kinds (%i)',
    async (round) => {
      const { keys, start, works, enqueue, named, held } = openTrial(isShared);
      const worker = start();
      await works();
      const ids = ['run-1', 'run-2', 'wait-1', 'wait-2'];
      for (const id of ids.slice(0, 2)) {
        held.add(id);
        await enqueue(id, { deduplicationId: id });
      }
      await vi.waitFor(() => expect(named).toEqual(expect.arrayContaining(['run-1', 'run-2'])), {
        timeout: 30_000,
      });
      for (const id of ids) await enqueue(`next ${id}`, { deduplicationId: id });
      await enqueue('later', { delayMs: 200 });
      const found = (await redis.keys('*')).filter((key) => key.startsWith(`${keys}:`)).sort();
      expect(found.length).toBeGreaterThan(15);
      await Promise.all(found.map((key, index) => SPOILT[(index + round) % SPOILT.length]!(key)));
      held.clear();
      await works(ids);
      await worker.close();
    },
    120_000,
  );

  it('a job that stands in no list keeps no later one from being run', async () => {
    const { keys, start, works, enqueue } = openTrial(isShared);
    for (const id of ['one', 'two']) await enqueue(id, { deduplicationId: id });
    await redis.set(`${keys}:wait`, 'garbage');
    const worker = start();
    await works(['one', 'two']);
    await worker.close();
  }, 120_000);

  it.each([
    ['stalled-check', (keys: string) => `${keys}:stalled-check`],
    ['the lock of a job that runs', (keys: string, id: string) => `${keys}:${id}:lock`],
  ])(
    'a job is run again where %s never expires',
    async (_, keyOf) => {
      const { keys, start, works, enqueue, named, held } = openTrial(isShared);
      const worker = start();
      await works();
      held.add('held');
      await enqueue('held', { deduplicationId: 'held' });
      await vi.waitFor(() => expect(named).toContain('held'), { timeout: 30_000 });
      const [id] = await redis.lrange(`${keys}:active`, 0, -1);
      await redis.set(keyOf(keys, id!), '{"a":');
      if (keyOf(keys, id!) !== `${keys}:${id}:lock`) await redis.del(`${keys}:${id}:lock`);
      await vi.waitFor(() => expect(named.filter((name) => name === 'held').length).toBeGreaterThan(1), {
        timeout: 30_000,
      });
      held.clear();
      await works(['held']);
      await worker.close();
    },
    120_000,
  );

  it.each([
    ['no data', { name: 'greet' }],
    ['data that is no JSON', { name: 'greet', data: '{"a', opts: '{}' }],
    ['options that are no JSON', { name: 'greet', data: '{}', opts: '{"a' }],
    ['a name that nobody knows', { name: 'unknown', data: '{}', opts: '{}', timestamp: '1' }],
    ['a payload that is refused', { name: 'greet', data: '{"payload":5}', opts: '{}', timestamp: '1' }],
    ['data of null', { name: 'greet', data: 'null', opts: '{}', timestamp: '1' }],
  ])(
    'gets rid of a job with %s',
    async (_, job) => {
      const { keys, start, works } = openTrial(isShared);
      await redis.hset(`${keys}:odd`, job);
      await redis.lpush(`${keys}:wait`, 'odd');
      const worker = start();
      await works();
      await vi.waitFor(
        async () => {
          expect(await redis.lrange(`${keys}:wait`, 0, -1)).not.toContain('odd');
          expect(await redis.lrange(`${keys}:active`, 0, -1)).not.toContain('odd');
        },
        { timeout: 30_000, interval: 50 },
      );
      await worker.close();
    },
    120_000,
  );
});
