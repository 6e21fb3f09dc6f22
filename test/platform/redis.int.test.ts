import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRedis, type Redis } from '../../src/platform/redis.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { startRedisProcess } from '../support/redis-process.js';

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  redis = openRedis(server.url, () => undefined);
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

  it('leave before the connection is closed by whoever gave them', async () => {
    const answers = [redis.set('last', 'word'), redis.quit()];
    expect(await Promise.all(answers)).toEqual(['OK', 'OK']);
  });
});

it('a command that a hung Redis does not answer is given up after 5 s', async () => {
  const hung = await startRedisProcess();
  const client = openRedis(hung.url, () => undefined);
  try {
    await client.ping();
    hung.freeze();
    const began = performance.now();
    await expect(Promise.all([client.get('a'), client.pipeline().get('b').exec()])).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(10_000);
  } finally {
    client.disconnect();
    hung.thaw();
    await hung.stop();
  }
}, 20_000);
