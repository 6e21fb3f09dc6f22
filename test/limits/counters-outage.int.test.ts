import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFaultyProxy } from '../platform/faulty-proxy.js';
import { startMovingAddress } from '../support/moving-address.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import {
  type Guarded,
  openGuarded,
  type Run,
  startLoad,
  timesRun,
  untilCounted,
} from './guarded-redis-world.js';

// Much more than the 200 ms that it is about, for machines that have other things to do.
const SOON_MS = 5_000;

let server: RedisProcess;
let guarded: Guarded;

beforeEach(async () => {
  server = await startRedisProcess();
  guarded = await openGuarded([server.url]);
});
afterEach(async () => {
  guarded.redis.close();
  await server.stop();
});

const withOutcome = (runs: readonly Run[], outcome: Run['outcome']): Run[] =>
  runs.filter((run) => run.outcome === outcome);
const became = (...states: string[]): Promise<void> =>
  vi.waitFor(() => expect(guarded.states).toEqual(states), 10_000);

describe('a Redis that hangs under load', () => {
  it('keeps the first requests for a moment, and none that come after', async () => {
    const load = startLoad(guarded);
    await vi.waitFor(() => expect(withOutcome(load.runs, 'counted').length).toBeGreaterThan(20), 10_000);
    server.freeze();
    await vi.waitFor(
      () => expect(withOutcome(load.runs, 'breaker_open').length).toBeGreaterThan(200),
      10_000,
    );
    await load.stop();
    expect(guarded.states).toEqual(['open']);
    const refused = load.runs.filter((run) => run.startedWhile === 'open');
    expect(new Set(refused.map((run) => run.outcome))).toEqual(new Set(['breaker_open']));
    const before = load.runs.filter((run) => run.startedWhile === 'closed');
    expect(new Set(before.map((run) => run.outcome))).toEqual(new Set(['counted', 'timeout']));
    expect(Math.max(...load.runs.map((run) => run.tookMs ?? Number.NaN))).toBeLessThan(SOON_MS);
    server.thaw();
  });

  it('is asked again by single probes, and by everybody once one is answered', async () => {
    const load = startLoad(guarded);
    const frozen = performance.now();
    server.freeze();
    await vi.waitFor(
      () => expect(withOutcome(load.runs, 'breaker_open').length).toBeGreaterThan(400),
      10_000,
    );
    server.thaw();
    await became('open', 'closed');
    const seconds = (performance.now() - frozen) / 1_000;
    await vi.waitFor(() => expect(load.runs.at(-20)?.outcome).toBe('counted'), 10_000);
    await load.stop();
    expect(guarded.states).toEqual(['open', 'closed']);
    // Commands that were refused at once never reached Redis; those that waited did once.
    const sent = load.runs.filter((run) => run.outcome !== 'breaker_open').length;
    const byOpening = 1;
    expect(await timesRun(server.url, 'evalsha')).toBeLessThanOrEqual(sent + byOpening);
    // Waits of 100, 200, 400, 800 ms and then 1 s, or a quarter less: hundreds of refused runs cost no more than these.
    const probes = await timesRun(server.url, 'set');
    expect(probes).toBeGreaterThanOrEqual(1);
    expect(probes).toBeLessThanOrEqual(5 + seconds / 0.75);
  });

  it('closes without waiting for it', async () => {
    server.freeze();
    const runs = [guarded.run(), guarded.run()];
    guarded.redis.close();
    expect(['timeout', 'connection']).toEqual(expect.arrayContaining(await Promise.all(runs)));
    await expect(guarded.run()).resolves.toBe('connection');
    expect(guarded.states).toEqual([]);
    server.thaw();
  });
});

describe('a Redis that is gone', () => {
  it('costs its requests no wait at all', async () => {
    const load = startLoad(guarded);
    await vi.waitFor(() => expect(withOutcome(load.runs, 'counted').length).toBeGreaterThan(20), 10_000);
    await server.kill();
    await vi.waitFor(
      () => expect(withOutcome(load.runs, 'breaker_open').length).toBeGreaterThan(200),
      10_000,
    );
    await load.stop();
    expect(withOutcome(load.runs, 'timeout')).toEqual([]);
    expect(withOutcome(load.runs, 'connection').length).toBeGreaterThan(0);
    expect(guarded.states).toEqual(['open']);
  });

  it('counts again when it comes back empty, knowing no script', async () => {
    await guarded.run();
    await server.kill();
    await vi.waitFor(async () => expect(await guarded.run()).toBe('breaker_open'), 10_000);
    await server.restart();
    await became('open', 'closed');
    await expect(guarded.run()).resolves.toBe('counted');
    expect(await timesRun(server.url, 'eval')).toBe(1);
  });
});

it('a command whose answer was lost with its connection is not sent again', async () => {
  const proxy = await startFaultyProxy(server.url);
  const byProxy = await openGuarded([proxy.url], { timeoutMs: 5_000 });
  proxy.hold();
  const unanswered = Array.from({ length: 5 }, () => byProxy.run('{lost}'));
  const direct = new Redis(server.url);
  await vi.waitFor(async () => expect(await direct.get('{lost}')).toBe('5'), 10_000);
  proxy.cut();
  expect(await Promise.all(unanswered)).toEqual(Array(5).fill('connection'));
  await untilCounted(byProxy);
  expect(await direct.get('{lost}')).toBe('5');
  direct.disconnect();
  byProxy.redis.close();
  await proxy.close();
});

it('a connection that went silent is given up for a new one', async () => {
  const proxy = await startFaultyProxy(server.url);
  const byProxy = await openGuarded([proxy.url]);
  proxy.silence();
  await expect(byProxy.run()).resolves.toBe('timeout');
  await vi.waitFor(() => expect(byProxy.states).toEqual(['open', 'closed']), 10_000);
  await expect(byProxy.run()).resolves.toBe('counted');
  byProxy.redis.close();
  await proxy.close();
});

describe('a Redis that answers and cannot count', () => {
  let direct: Redis;
  beforeEach(() => {
    direct = new Redis(server.url);
  });
  afterEach(() => direct.disconnect());

  it('is spared while it is a replica, and counts when it is the master again', async () => {
    await direct.replicaof('127.0.0.1', 1);
    await expect(guarded.run()).resolves.toBe('command');
    await expect(guarded.run()).resolves.toBe('breaker_open');
    await direct.replicaof('NO', 'ONE');
    await became('open', 'closed');
    await expect(guarded.run()).resolves.toBe('counted');
  });

  it('gets no commands while its memory is full, and counts when there is space again', async () => {
    await direct.config('SET', 'maxmemory', '1');
    await expect(guarded.run()).resolves.toBe('command');
    await expect(guarded.run()).resolves.toBe('breaker_open');
    await direct.config('SET', 'maxmemory', '0');
    await became('open', 'closed');
    await expect(guarded.run()).resolves.toBe('counted');
  });
});

it('goes on counting on the replica that is promoted when its master is killed', async () => {
  const replica = await startRedisProcess();
  const toReplica = new Redis(replica.url);
  const address = await startMovingAddress(server.port);
  const byAddress = await openGuarded([address.url]);
  await toReplica.replicaof('127.0.0.1', server.port);
  for (let count = 0; count < 5; count++) await byAddress.run('{kept}');
  await vi.waitFor(async () => expect(await toReplica.get('{kept}')).toBe('5'), 15_000);
  await server.kill();
  await vi.waitFor(async () => expect(await byAddress.run()).toBe('breaker_open'), 10_000);
  await toReplica.replicaof('NO', 'ONE');
  address.moveTo(replica.port);
  await vi.waitFor(() => expect(byAddress.states).toEqual(['open', 'closed']), 10_000);
  await expect(byAddress.run('{kept}')).resolves.toBe('counted');
  expect(await toReplica.get('{kept}')).toBe('6');
  byAddress.redis.close();
  toReplica.disconnect();
  address.close();
  await replica.stop();
});
