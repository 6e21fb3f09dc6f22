import { expect, it, type TestContext, vi } from 'vitest';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { findRoutes, shardOf } from '../../src/platform/wake-ups/wake-up-registry.js';
import { openSubscriptions } from '../../src/platform/wake-ups/wake-ups.js';
import { startTestRedis } from '../support/redis.js';

async function openRegistry({ onTestFinished }: TestContext) {
  const server = await startTestRedis();
  const redis = openRedis([server.url], () => undefined);
  onTestFinished(async () => {
    redis.disconnect();
    await server.stop();
  });
  const onLost = vi.fn();
  const registry = openSubscriptions(redis)(onLost);
  onTestFinished(() => registry.close());
  const readersOf = async (topic: string) => (await findRoutes(redis, new Set([topic]))).byReader.size;
  return { redis, registry, onLost, readersOf };
}

/** The next change of the registry is made, and its answer lost. */
function loseNextAnswer(redis: Redis): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = redis.pipeline.bind(redis);
  const spy = vi.spyOn(redis, 'pipeline').mockImplementation(() => {
    const pipeline = open();
    const [{ call }, exec] = [pipeline, pipeline.exec.bind(pipeline)];
    let isChange = false;
    pipeline.call = (...args: unknown[]) => {
      isChange = true;
      return Reflect.apply(call, pipeline, args);
    };
    pipeline.exec = async () => {
      const answers = await exec();
      if (!isChange) return answers;
      spy.mockRestore();
      resolve();
      throw new Error('Connection is closed.');
    };
    return pipeline;
  });
  return promise;
}

const topicsOfOneShard = (count: number): string[] => {
  const topics: string[] = [];
  for (let n = 0; topics.length < count; n += 1) if (shardOf(`feed:${n}`) === 0) topics.push(`feed:${n}`);
  return topics;
};

it('what is left again while a process registers everything anew is not registered', async (context) => {
  const { registry, readersOf } = await openRegistry(context);
  registry.begin();
  const topics = Array.from({ length: 1_500 }, (_, n) => `feed:${n}`);
  for (const topic of topics) void registry.add(topic);
  const registered = registry.register();
  registry.remove(topics.at(-1)!);
  await registered;
  await registry.add('later');
  expect(await readersOf(topics[0]!)).toBe(1);
  expect(await readersOf(topics.at(-1)!)).toBe(0);
});

it('a registry that was set back to a write whose answer was lost has lost what came after it', async (context) => {
  const { redis, registry, onLost, readersOf } = await openRegistry(context);
  const [first, second, third] = topicsOfOneShard(3);
  registry.begin();
  void registry.add(first!);
  await registry.register();
  const lost = loseNextAnswer(redis);
  const added = [registry.add(second!)];
  await lost;
  const shard = 'tidings:wake-ups:{t0}:readers';
  const before = await redis.dumpBuffer(shard);
  added.push(registry.add(third!));
  await Promise.all(added);
  expect(await readersOf(third!)).toBe(1);
  expect(onLost).not.toHaveBeenCalled();
  await redis.restore(shard, 0, before!, 'REPLACE');
  expect(await readersOf(third!)).toBe(0);
  await vi.waitFor(() => expect(onLost).toHaveBeenCalled(), 10_000);
});
