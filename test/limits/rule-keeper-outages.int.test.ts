import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyProxy, startFaultyProxy } from '../platform/faulty-proxy.js';
import { startSingleRedis } from '../support/redis.js';
import { good, measured, NOWHERE, until } from './reload-world.js';
import { inForce, keeperWorld, put } from './rule-keeper-world.js';

const world = keeperWorld(startSingleRedis);
let proxy: FaultyProxy;
beforeEach(async () => {
  proxy = await startFaultyProxy(world.redis.url);
});
afterEach(() => proxy.close());

describe('a notice of changed rules', () => {
  it('that a process missed costs it no more than the time between two looks', async () => {
    const deaf = await startFaultyProxy(world.redis.url);
    await deaf.refuse();
    const [one, other] = await Promise.all([world.start(), world.start({ earUrl: deaf.url, pollMs: 50 })]);
    await put(one, good('put'));
    await inForce('put', other);
    await deaf.close();
  });

  it('that was notified while the subscriber was cut off is found when it is back', async () => {
    const [one, other] = await Promise.all([world.start(), world.start({ earUrl: proxy.url })]);
    await other.keeper.lookAgain();
    await proxy.refuse();
    proxy.cut();
    await put(one, good('put'));
    await proxy.accept();
    await inForce('put', other);
  });
});

describe('while Redis is away', () => {
  it('a document can be put, and other processes find it by looking', async () => {
    const [one, other] = await Promise.all([
      world.start({ redisUrl: proxy.url }),
      world.start({ redisUrl: proxy.url, pollMs: 50 }),
    ]);
    await proxy.refuse();
    proxy.cut();
    expect(await put(one, good('put'))).toMatchObject({ ok: true, value: { domain: 'put' } });
    await inForce('put', one, other);
  });

  it('a process starts, follows its file, and closes', async () => {
    await proxy.refuse();
    const process = await world.start({ redisUrl: proxy.url });
    await writeFile(world.file, good('edited'));
    await inForce('edited', process);
    await process.stop();
  });

  it('a process whose Redis has gone silent closes all the same', async () => {
    const process = await world.start({ redisUrl: proxy.url });
    proxy.silence();
    await process.keeper.close();
    await process.stop();
  });
});

describe('while Postgres is away', () => {
  let gate: FaultyProxy;
  beforeEach(async () => {
    gate = await startFaultyProxy(world.database.url);
  });
  afterEach(() => gate.close());

  it('what is in force stays so, says so, and is current again afterwards', async () => {
    const [one, other] = await Promise.all([
      world.start({ postgresUrl: gate.url, answerMs: 2_000 }),
      world.start(),
    ]);
    await put(one, good('put'));
    await gate.refuse();
    gate.cut();
    await put(other, good('put elsewhere'));
    await one.keeper.lookAgain();
    expect(one.keeper.ruleSet()).toMatchObject({
      domain: 'put',
      lastError: expect.stringMatching(/^what was put cannot be read: ./),
    });
    await expect(put(one, good('put in vain'))).rejects.toThrow();
    expect(one.keeper.current().domain).toBe('put');
    expect(await measured(one)).toMatchObject({ stale: 1 });
    await gate.accept();
    await until(async () => {
      await one.keeper.lookAgain();
      expect(one.keeper.ruleSet()).toMatchObject({ domain: 'put elsewhere', lastError: null });
    });
  });

  it('an edited file is in force all the same', async () => {
    const process = await world.start({ postgresUrl: gate.url, answerMs: 2_000 });
    await gate.refuse();
    gate.cut();
    await writeFile(world.file, good('edited'));
    await inForce('edited', process);
  });

  it('Postgres that gives no answer holds up no look for long', async () => {
    const process = await world.start({ postgresUrl: gate.url, earUrl: NOWHERE, answerMs: 300 });
    gate.silence();
    await process.keeper.lookAgain();
    expect(process.keeper.ruleSet().lastError).toMatch(/^what was put cannot be read: .*(no answer|timeout)/);
  });
});
