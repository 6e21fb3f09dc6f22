import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { Redis } from 'ioredis';
import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import {
  countOne,
  type Guarded,
  guard,
  openGuarded,
  script,
  TIMEOUT_MS,
  timesRun,
} from './guarded-redis-world.js';

let server: RedisProcess;
let direct: Redis;
const opened: Guarded[] = [];
const held = (guarded: Guarded): Guarded => {
  opened.push(guarded);
  return guarded;
};

beforeAll(async () => {
  server = await startRedisProcess();
  direct = new Redis(server.url);
});
afterEach(() => {
  for (const guarded of opened.splice(0)) guarded.redis.close();
});
afterAll(async () => {
  direct.disconnect();
  await server.stop();
});

/** Our own loop does nothing else for so long. */
function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('runs a script with its keys and arguments, and hands back what it answers', async () => {
  const { redis } = held(await openGuarded([server.url]));
  const echo = script("return {KEYS[1], ARGV[1], tonumber(ARGV[2]), {'nested', false}}");
  await expect(redis.run(echo, ['{a}:1'], ['text', 7])).resolves.toEqual([
    Buffer.from('{a}:1'),
    Buffer.from('text'),
    7,
    [Buffer.from('nested'), null],
  ]);
  expect(redis.cluster).toBe(false);
});

it('sends Redis the source of a script once, and its digest from then on', async () => {
  const { redis } = held(await openGuarded([server.url]));
  const answer = script("return 'a script that nobody ran before'");
  const before = await timesRun(server.url, 'eval');
  for (let run = 0; run < 3; run++) await redis.run(answer, ['{a}'], []);
  expect((await timesRun(server.url, 'eval')) - before).toBe(1);
});

it('refuses at once before its first connection is up, and counts once it is', async () => {
  const guarded = held(guard([server.url]));
  await expect(guarded.run()).resolves.toBe('connection');
  await vi.waitFor(async () => expect(await guarded.run()).toBe('counted'), 10_000);
  expect(guarded.states).toEqual([]);
});

it('rejects at once while no server listens, reports it, and counts once one does', async () => {
  const late = await startRedisProcess();
  await late.kill();
  const guarded = held(guard([late.url]));
  await vi.waitFor(() => expect(guarded.errors[0]).toMatchObject({ code: 'ECONNREFUSED' }), 10_000);
  await expect(guarded.run()).resolves.toBe('connection');
  await expect(guarded.run()).resolves.toBe('breaker_open');
  await late.restart();
  await vi.waitFor(() => expect(guarded.states).toEqual(['open', 'closed']), 10_000);
  await expect(guarded.run()).resolves.toBe('counted');
  await late.stop();
});

it('a script that is wrong rejects with the words of Redis, and others count on', async () => {
  const guarded = held(await openGuarded([server.url]));
  const wrong = script("return redis.call('INCR', KEYS[1], 'too', 'many')");
  await expect(guarded.redis.run(wrong, ['{a}'], [])).rejects.toMatchObject({
    name: 'StoreUnreachable',
    errorType: 'command',
    cause: expect.objectContaining({ message: expect.stringContaining('Wrong number of args') }),
  });
  await expect(guarded.run()).resolves.toBe('counted');
  expect(guarded.states).toEqual([]);
});

it.each([1.2, 1.6, 2.4])(
  'a stall of our own loop for %f timeouts is not taken for a silence of Redis',
  async (times) => {
    const guarded = held(await openGuarded([server.url]));
    for (let round = 0; round < 5; round++) {
      const runs = Array.from({ length: 20 }, () => guarded.run());
      stall(times * TIMEOUT_MS);
      expect(new Set(await Promise.all(runs))).toEqual(new Set(['counted']));
    }
    expect(guarded.states).toEqual([]);
  },
);

it('an answer that comes too late is dropped, and the next ones are not mistaken for it', async () => {
  const guarded = held(await openGuarded([server.url]));
  await direct.call('CLIENT', 'PAUSE', String(5 * TIMEOUT_MS), 'WRITE');
  await expect(guarded.run('{late}')).resolves.toBe('timeout');
  await vi.waitFor(() => expect(guarded.states).toEqual(['open', 'closed']), 5_000);
  await expect(guarded.redis.run(countOne, ['{late}'], [])).resolves.toBe(2);
});

it('speaks TLS to a rediss address, and shows its certificate to nobody it cannot trust', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
  const listener = tls.createServer({ key, cert }).on('tlsClientError', () => undefined);
  listener.listen(await freePort(), '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const guarded = held(guard([`rediss://:secret@127.0.0.1:${port}`]));
  await vi.waitFor(
    () => expect(guarded.errors[0]).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    10_000,
  );
  listener.close();
});

it('takes name and password from the address, with its escapes', async () => {
  await direct.call('ACL', 'SETUSER', 'counters', 'on', '>p@ss/w:rd', '~*', '+@all');
  const url = `redis://counters:${encodeURIComponent('p@ss/w:rd')}@127.0.0.1:${server.port}`;
  const guarded = held(await openGuarded([url]));
  await expect(guarded.run()).resolves.toBe('counted');
});

it('reports a wrong password', async () => {
  await direct.call('ACL', 'SETUSER', 'stranger', 'on', '>secret', '~*', '+@all');
  const guarded = held(guard([`redis://stranger:wrong@127.0.0.1:${server.port}`]));
  await vi.waitFor(() => expect(guarded.errors[0]?.message).toContain('WRONGPASS'), 5_000);
});
