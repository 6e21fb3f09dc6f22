import { describe, it, type TestContext, vi } from 'vitest';
import { z } from 'zod';
import { implementTask, type TaskHandler } from '../../src/platform/queues/job-runner.js';
import { workQueue } from '../../src/platform/queues/queue-worker.js';
import { defineTask, openQueues } from '../../src/platform/queues/queues.js';
import { workSharedQueues } from '../../src/platform/queues/shared-queues.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import type { RedisAddress } from '../../src/platform/redis/server-watch.js';
import { startMovingAddress } from '../support/moving-address.js';
import { openServerWorld, type ServerWorld, silent } from './server-world.js';

const greet = defineTask({ name: 'greet', queue: 'greetings', payload: z.object({ name: z.string() }) });
const UNTIL_THEN = { timeout: 30_000, interval: 100 };

type Work = (address: RedisAddress, handler: TaskHandler<unknown>) => { close(): Promise<void> };

describe.each<[string, Work]>([
  [
    'a worker of one queue',
    (address, handler) =>
      workQueue(address, greet.queue, [handler], { concurrency: 2, lockDurationMs: 5_000 }, silent),
  ],
  [
    'a worker of several queues',
    (address, handler) =>
      workSharedQueues(
        address,
        [{ queue: greet.queue, handlers: [handler], share: 1 }],
        { slots: 2, lockDurationMs: 5_000 },
        silent,
      ),
  ],
])('producers and %s follow their address', { timeout: 90_000 }, (_, work) => {
  async function open(address: RedisAddress, world: ServerWorld, { expect }: TestContext) {
    const greeted: string[] = [];
    const queues = openQueues(address, silent);
    const worker = work(
      address,
      implementTask(greet, async ({ name }) => void greeted.push(name)),
    );
    world.own(() => Promise.all([worker.close(), queues.close()]));
    async function expectGreeted(name: string): Promise<void> {
      const options = { correlationId: 'story', jobId: name };
      await vi.waitFor(() => queues.enqueue(greet, { name }, options), UNTIL_THEN);
      await vi.waitFor(() => expect(greeted).toContain(name), UNTIL_THEN);
    }
    await expectGreeted('ann');
    return { expectGreeted };
  }

  it.concurrent('where the primary was demoted without breaking a connection', async (context) => {
    const world = await openServerWorld(context);
    const address = await startMovingAddress(world.old.port);
    world.own(() => address.close());
    const { expectGreeted } = await open({ urls: [address.url] }, world, context);
    const admin = openRedis([world.old.url], () => undefined);
    world.own(() => admin.disconnect());
    address.moveTo(world.promoted.port);
    await admin.call('REPLICAOF', '127.0.0.1', String(world.promoted.port));
    await expectGreeted('ben');
  });

  it.concurrent('where the primary was cut off from other processes, and still takes writes', async (context) => {
    const { expect } = context;
    const world = await openServerWorld(context);
    const { address, lease } = await world.open(world.old.port);
    const { expectGreeted } = await open({ urls: [address.url], server: lease }, world, context);
    address.moveTo(world.promoted.port);
    await world.open(world.promoted.port);
    const onPromoted = openRedis([world.promoted.url], () => undefined);
    world.own(() => onPromoted.disconnect());
    // Whoever listens there also hears of the old one's jobs no more.
    await vi.waitFor(async () => {
      const clients = String(await onPromoted.client('LIST'));
      // The process' own, those of its producer, its repairs and its worker's two; the other process' and this one.
      expect(clients.trim().split('\n').length).toBeGreaterThanOrEqual(7);
    }, UNTIL_THEN);
    const onOld = openRedis([world.old.url], () => undefined);
    world.own(() => onOld.disconnect());
    await vi.waitFor(async () => {
      const clients = String(await onOld.client('LIST'));
      expect(clients.trim().split('\n').length).toBe(1);
    }, UNTIL_THEN);
    await expectGreeted('ben');
  });
});
