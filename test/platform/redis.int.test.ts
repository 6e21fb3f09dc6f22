import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  connectAnew,
  openBlockingRedis,
  openFailingRedis,
  openRedis,
  type SingleRedis,
} from '../../src/platform/redis/redis.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { startRedisProcess } from '../support/redis-process.js';

let server: TestRedis;
let redis: SingleRedis;
beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  redis = openRedis([server.url], () => undefined) as SingleRedis;
  await once(redis, 'ready');
});
afterEach(() => redis.disconnect());

/** How often the socket is written to while `work` runs. */
async function writesDuring(work: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(redis.stream, '_write'), vi.spyOn(redis.stream, '_writev' as '_write')];
  await work();
  return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
}

describe('commands that are given together', () => {
  it('leave in one write', async () => {
    const together = () => Promise.all([redis.set('a', 1), redis.get('a'), redis.mget('a', 'b')]);
    expect(await writesDuring(together)).toBe(1);
  });

  it('leave in one write where the promises at hand give them', async () => {
    const later = async (key: string) => {
      await null;
      return redis.get(key);
    };
    expect(await writesDuring(() => Promise.all([later('a'), later('b'), later('c')]))).toBe(1);
  });

  it('are answered in their order, with pipelines and bytes between them', async () => {
    const pipeline = redis.pipeline().append('word', 'b').append('word', 'c');
    const answers = await Promise.all([
      redis.set('word', 'a'),
      pipeline.exec(),
      redis.getBuffer('word'),
      redis.call('append', 'word', Buffer.from('d')),
      redis.get('word'),
    ]);
    expect(answers).toEqual([
      'OK',
      [
        [null, 2],
        [null, 3],
      ],
      Buffer.from('abc'),
      4,
      'abcd',
    ]);
  });

  it('are sent again where the connection breaks before they leave', async () => {
    const answers = Promise.all([redis.set('kept', 'yes'), redis.get('kept')]);
    redis.stream.destroy();
    expect(await answers).toEqual(['OK', 'yes']);
    expect(await redis.get('kept')).toBe('yes');
  });

  it('leave before the connection is closed by their sender', async () => {
    const answers = [redis.set('last', 'word'), redis.quit()];
    expect(await Promise.all(answers)).toEqual(['OK', 'OK']);
  });
});

it.each([
  ['ordinary commands', openRedis],
  ['producers of jobs', openFailingRedis],
])(
  'a command that a hung Redis does not answer is given up after 5 s: %s',
  async (_, open) => {
    const hung = await startRedisProcess();
    const client = open([hung.url], () => undefined);
    try {
      await once(client, 'ready');
      hung.freeze();
      const began = performance.now();
      await expect(Promise.all([client.get('a'), client.pipeline().get('b').exec()])).rejects.toThrow();
      expect(performance.now() - began).toBeLessThan(10_000);
    } finally {
      client.disconnect();
      hung.thaw();
      await hung.stop();
    }
  },
  20_000,
);

it.each([
  ['ordinary commands', openRedis],
  ['producers of jobs', openFailingRedis],
  ['blocking reads', openBlockingRedis],
])('a connection that is to be made anew comes back, whatever it was about: %s', async (_, open) => {
  for (const status of ['connecting', 'connect', 'ready', 'close', 'reconnecting']) {
    const client = open([server.url], () => undefined);
    try {
      client.once(status, () => connectAnew(client));
      await once(client, 'ready');
      connectAnew(client);
      connectAnew(client);
      await once(client, 'ready');
      expect(await client.ping(), status).toBe('PONG');
    } finally {
      client.disconnect();
    }
  }
});

describe('a value that a command stumbles over', () => {
  const rejected = (work: Promise<unknown>) => expect(work).rejects.toThrow(/ERR|WRONGTYPE/);
  const untilGone = (key: string) =>
    vi.waitFor(async () => expect(await redis.exists(key)).toBe(0), { timeout: 20_000, interval: 10 });

  it.each<[string, () => Promise<unknown>, (key: string) => Promise<unknown>]>([
    ['a list that is read as a hash', () => redis.rpush('odd', 'x'), (key) => redis.hgetall(key)],
    ['a list that is read as a string', () => redis.rpush('odd', 'x'), (key) => redis.get(key)],
    ['a text that is read as a sorted set', () => redis.set('odd', 'x'), (key) => redis.zcard(key)],
    ['a text that is counted on', () => redis.set('odd', 'x'), (key) => redis.incrby(key, 2)],
    [
      'a text in a hash that is counted on',
      () => redis.hset('odd', 'n', 'x'),
      (key) => redis.hincrby(key, 'n', 1),
    ],
    [
      'a list that a script reads as a string',
      () => redis.rpush('odd', 'x'),
      (key) => redis.eval('return redis.call("GET", KEYS[1])', 1, key),
    ],
  ])('is removed: %s', async (_, write, read) => {
    await redis.del('odd');
    await write();
    await rejected(read('odd'));
    await untilGone('odd');
  });

  it('stays where the error is about an argument, or the script', async () => {
    await redis.set('sound', '5');
    await redis.hset('sound-hash', 'n', 5);
    await rejected(redis.set('sound', 'x', 'PX', 1.5));
    await rejected(redis.incrby('sound', 1.5));
    await rejected(redis.call('hincrby', 'sound-hash', 'n', 'x') as Promise<unknown>);
    await rejected(redis.eval('local a = nil; return a.b', 1, 'sound'));
    await rejected(redis.eval('return redis.call("GET", KEYS[1], 5)', 1, 'sound'));
    await rejected(redis.pfcount('sound', 'sound-hash'));
    await redis.set('removed last', '1');
    await rejected(redis.hget('removed last', 'x'));
    await untilGone('removed last');
    expect(await redis.get('sound')).toBe('5');
    expect([await redis.type('sound-hash'), await redis.hget('sound-hash', 'n')]).toEqual(['hash', '5']);
  });
});
