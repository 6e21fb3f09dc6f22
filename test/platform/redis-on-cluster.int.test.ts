import { setTimeout as pause } from 'node:timers/promises';
import { Redis as SingleRedis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { askRedis } from '../../src/platform/process/redis-check.js';
import { publish, subscribe } from '../../src/platform/redis/channel.js';
import { readEach, readEachAsBytes, removeEach } from '../../src/platform/redis/many-keys.js';
import {
  type Cluster,
  isReady,
  loadScript,
  openBlockingRedis,
  openRedis,
  openSubscribingRedis,
  type Redis,
  runScript,
  runScriptEach,
} from '../../src/platform/redis/redis.js';
import { slotOf, startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import { startRedisProcess } from '../support/redis-process.js';

let cluster: TestCluster;
let redis: Cluster;
beforeAll(async () => {
  cluster = await startTestCluster({ replicas: 3 });
  redis = openRedis(cluster.urls, () => undefined) as Cluster;
});
afterAll(async () => {
  redis?.disconnect();
  await cluster?.stop();
});

const keys = Array.from({ length: 60 }, (_, index) => `key${index}`);
const announce = loadScript(new URL('../../src/domains/feed/graph/announce-pulled.lua', import.meta.url));

describe('an ordinary connection to a Cluster', () => {
  it('reads, runs scripts about and removes keys of any slots', async () => {
    await Promise.all(keys.map((key, index) => redis.set(key, index)));
    expect(await readEach(redis, [...keys, 'none'])).toEqual([
      ...keys.map((_, index) => String(index)),
      null,
    ]);
    const calls = keys.map((key) => ({ keys: [key], args: [7, key, 60] }));
    expect(await runScriptEach(redis, announce, calls)).toEqual(keys.map((key) => `7/${key}`));
    expect(await runScript(redis, announce, ['key0'], [7, 'x', 60])).toBe('7/key0');
    const [first] = await runScriptEach(redis, announce, calls.slice(0, 1), 'bytes');
    expect(first).toEqual(Buffer.from('7/key0'));
    await removeEach(redis, keys);
    expect(await readEachAsBytes(redis, keys)).toEqual(keys.map(() => null));
  });

  it('sends what is asked for together in one write to each node', async () => {
    await Promise.all(keys.map((key) => redis.get(key)));
    const streams = redis.nodes('master').map(({ stream }) => stream);
    const spies = streams.flatMap((stream) => [
      vi.spyOn(stream, '_write'),
      vi.spyOn(stream, '_writev' as '_write'),
    ]);
    await Promise.all(keys.map((key) => redis.get(key)));
    expect(spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)).toBe(streams.length);
  });

  it('removes a value that a command found to be odd, and reads it as absent', async () => {
    await redis.hset('odd', 'a', 1);
    expect(await readEach(redis, ['odd', 'key0'])).toEqual([null, null]);
    await expect.poll(() => redis.exists('odd')).toBe(0);
  });

  it('goes on while a slot moves under it, whichever node a key is on', async () => {
    const tagged = keys.map((key) => `{moving}:${key}`);
    await Promise.all(tagged.map((key) => redis.set(key, key)));
    const owner = await cluster.ownerOf('{moving}');
    const read = () => readEach(redis, tagged);
    let isOver = false;
    const reading = (async () => {
      while (!isOver) expect(await read()).toEqual(tagged);
    })();
    await cluster.moveSlot('{moving}', (owner + 1) % 3, async () => {
      expect(await read()).toEqual(tagged);
    });
    isOver = true;
    await reading;
    expect(await read()).toEqual(tagged);
  });

  it('has an answer or an error within 5 s where a node hangs, and goes on with its replica', async () => {
    const owner = await cluster.ownerOf('hung');
    await redis.set('hung', 'yes');
    expect(await redis.wait(1, 1_000)).toBeGreaterThanOrEqual(0);
    await pause(100);
    cluster.freeze(owner);
    const began = performance.now();
    await redis.get('hung').catch(() => undefined);
    expect(performance.now() - began).toBeLessThan(7_000);
    await vi.waitFor(async () => expect(await redis.get('hung')).toBe('yes'), { timeout: 30_000 });
    cluster.thaw(owner);
  });
});

it('a channel is heard by all that subscribe, also after its slot has moved and after its node was killed', async () => {
  const errors: unknown[] = [];
  const subscribers = [0, 1].map(() => openSubscribingRedis(cluster.urls, () => undefined));
  const heard = [0, 0];
  await Promise.all(
    subscribers.map((one, index) =>
      subscribe(one, 'news', {
        heard() {
          heard[index] = heard[index]! + 1;
        },
        failed: (error) => void errors.push(error),
      }),
    ),
  );
  const expectHeard = async () => {
    const before = [...heard];
    await vi.waitFor(
      async () => {
        await publish(redis, 'news', 'x').catch(() => undefined);
        await pause(20);
        expect(heard.every((count, index) => count > before[index]!)).toBe(true);
      },
      { timeout: 30_000, interval: 50 },
    );
  };
  try {
    await expectHeard();
    const masters = async () => Promise.all([0, 1, 2].map((n) => cluster.ownerOf(`{m${n}}`)));
    const owner = await cluster.ownerOf('news');
    const other = (await masters()).find((index) => index !== owner)!;
    await cluster.moveSlot('news', other);
    await expectHeard();
    await cluster.kill(other);
    await expectHeard();
    await cluster.restart(other);
  } finally {
    for (const one of subscribers) one.disconnect();
  }
});

it('a blocking read on a Cluster is answered, and given up when its connection is closed', async () => {
  const blocking: Redis = openBlockingRedis(cluster.urls, () => undefined);
  const read = blocking.xread('BLOCK', 900, 'STREAMS', 'stream', '$');
  await vi.waitFor(() => expect(isReady(blocking)).toBe(true));
  expect(await read).toBeNull();
  const next = blocking.xread('BLOCK', 900, 'STREAMS', 'stream', '0-0');
  await redis.xadd('stream', '*', 'a', 'b');
  expect(await next).toHaveLength(1);
  blocking.disconnect();
});

describe('at the start', () => {
  it('a Cluster whose masters answer is accepted, by any two of its nodes', async () => {
    await askRedis(cluster.urls.slice(0, 2));
    await askRedis([cluster.urls[0]!, cluster.urls[0]!]);
  });

  it('one address of a Cluster is refused, and so are several of a single Redis', async () => {
    const single = await startRedisProcess();
    const owner = await cluster.ownerOf('any');
    await expect(askRedis([cluster.nodes[owner]!])).rejects.toThrow(
      /^127\.0\.0\.1:\d+ is a node of a Cluster: give two of its nodes or more, separated by commas$/,
    );
    await expect(askRedis([single.url, single.url])).rejects.toThrow(
      `several addresses mean a Cluster, and 127.0.0.1:${single.port} is a single Redis`,
    );
    await single.stop();
  });

  it('a Cluster where a replica takes over too soon, or a slot is assigned to no node, is refused with its fault', async () => {
    const owner = await cluster.ownerOf('any');
    const nodes = cluster.nodes.map((url) => new SingleRedis(url));
    try {
      await nodes[owner]!.config('SET', 'cluster-node-timeout', 1_500);
      await expect(askRedis(cluster.urls)).rejects.toThrow(
        /^cluster-node-timeout of its node 127\.0\.0\.1:\d+ is 1500: it must be 2000 or more$/,
      );
      await nodes[owner]!.config('SET', 'cluster-node-timeout', 2_000);
      await Promise.all(
        nodes.map(async (node) => {
          await node.cluster('DELSLOTS', slotOf('any'));
        }),
      );
      await expect(askRedis(cluster.urls)).rejects.toThrow(
        /^CLUSTERDOWN 1 of 16384 slots are assigned to no node$/,
      );
      await nodes[owner]!.cluster('ADDSLOTS', slotOf('any'));
      await vi.waitFor(() => askRedis(cluster.urls), { timeout: 20_000 });
    } finally {
      for (const node of nodes) node.disconnect();
    }
  });
});

it('a Cluster that is away keeps 10,000 commands waiting, and refuses more at once', async () => {
  const [one, other] = [await freePort(), await freePort()];
  const away = openRedis([`redis://127.0.0.1:${one}`, `redis://127.0.0.1:${other}`], () => undefined);
  const waiting = Array.from({ length: 10_000 }, (_, n) => away.get(`key-${n}`).catch(() => 'given up'));
  await expect(away.get('one more')).rejects.toThrow('the Redis Cluster is away');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['given up']));
  away.disconnect();
});
