import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePortWithBus, startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import { type Guarded, guard, openGuarded, untilCounted } from './guarded-redis-world.js';

const TIMEOUT_MS = 60_000;

/** A key that the node at `url` owns. */
async function keyOn(url: string): Promise<string> {
  const node = new Redis(url);
  const [, first, last] = /myself.* (\d+)-(\d+)/.exec(String(await node.cluster('NODES'))) ?? [];
  for (let user = 0; ; user++) {
    const slot = await node.cluster('KEYSLOT', `user-${user}`);
    if (slot < Number(first) || slot > Number(last)) continue;
    node.disconnect();
    return `{user-${user}}:count`;
  }
}

async function processOf(url: string): Promise<number> {
  const node = new Redis(url);
  const info = await node.info('server');
  node.disconnect();
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}

describe('a Cluster of which one master fails', () => {
  let cluster: TestCluster;
  let guarded: Guarded;
  let failing: string;
  let others: string[];

  beforeEach(async () => {
    cluster = await startTestCluster();
    // A busy machine's pauses are no outage of the masters that are well.
    guarded = await openGuarded(cluster.urls, { timeoutMs: 1_000 });
    [failing = '', ...others] = await Promise.all(cluster.urls.map(keyOn));
    for (const key of [failing, ...others]) await untilCounted(guarded, key);
    await vi.waitFor(
      () =>
        expect(guarded.states.filter((state) => state === 'open').length).toBe(
          guarded.states.filter((state) => state === 'closed').length,
        ),
      15_000,
    );
    guarded.states.length = 0;
  });
  afterEach(async () => {
    guarded.redis.close();
    await cluster.stop();
  });

  it(
    'counts on for the users of the others when it is killed',
    async () => {
      await cluster.kill(0);
      await vi.waitFor(async () => expect(await guarded.run(failing)).toBe('breaker_open'), 10_000);
      for (let round = 0; round < 50; round++) {
        for (const key of others) expect(await guarded.run(key)).toBe('counted');
        expect(await guarded.run(failing)).not.toBe('counted');
      }
      expect(guarded.states).toEqual(['open']);
    },
    TIMEOUT_MS,
  );

  it(
    'counts on for the users of the others while it hangs, and for its own afterwards',
    async () => {
      const pid = await processOf(cluster.urls[0] ?? '');
      process.kill(pid, 'SIGSTOP');
      await expect(guarded.run(failing)).resolves.toBe('timeout');
      for (let round = 0; round < 50; round++) {
        expect(await guarded.run(failing)).toBe('breaker_open');
        for (const key of others) expect(await guarded.run(key)).toBe('counted');
      }
      expect(guarded.states).toEqual(['open']);
      process.kill(pid, 'SIGCONT');
      await vi.waitFor(() => expect(guarded.states).toEqual(['open', 'closed']), 10_000);
      await expect(guarded.run(failing)).resolves.toBe('counted');
    },
    TIMEOUT_MS,
  );
});

describe('a Cluster whose master has a replica', () => {
  let folder: string;
  let master: RedisProcess;
  let replica: RedisProcess;
  let voters: RedisProcess[];
  const all = () => [master, replica, ...voters];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tidings-failover-'));
    const start = async (name: string) =>
      startRedisProcess({
        port: await freePortWithBus(),
        password: 'p@ss',
        settings: [
          ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--dir', folder],
          ...['--cluster-config-file', `${name}.conf`, '--cluster-require-full-coverage', 'no'],
        ],
      });
    [master, replica, ...voters] = await Promise.all([
      start('master'),
      start('replica'),
      start('voter-1'),
      start('voter-2'),
    ]);
  }, TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(all().map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'counts again on the replica once that is promoted, with the password of the addresses',
    async () => {
      const [toMaster, toReplica, ...toVoters] = all().map(({ url }) => new Redis(url)) as [
        Redis,
        Redis,
        Redis,
        Redis,
      ];
      await toMaster.cluster('ADDSLOTSRANGE', 0, 8_000);
      await toVoters[0].cluster('ADDSLOTSRANGE', 8_001, 12_000);
      await toVoters[1].cluster('ADDSLOTSRANGE', 12_001, 16_383);
      for (const [epoch, node] of [toMaster, ...toVoters].entries())
        await node.cluster('SET-CONFIG-EPOCH', epoch + 1);
      for (const { port } of [replica, ...voters]) await toMaster.cluster('MEET', '127.0.0.1', port);
      const id = await toMaster.cluster('MYID');
      await vi.waitFor(() => toReplica.cluster('REPLICATE', id), 15_000);
      const urls = all().map(({ url }) => url);
      const key = await keyOn(urls[0] ?? '');
      const guarded = await openGuarded(urls);
      await untilCounted(guarded, key);
      await vi.waitFor(async () => expect(await toReplica.dbsize()).toBeGreaterThan(0), 30_000);

      toMaster.disconnect();
      await master.kill();
      await vi.waitFor(async () => expect(await guarded.run(key)).toBe('breaker_open'), 5_000);
      await untilCounted(guarded, key);
      expect(await toReplica.info('replication')).toContain('role:master');

      guarded.redis.close();
      for (const node of [toReplica, ...toVoters]) node.disconnect();
    },
    TIMEOUT_MS,
  );
});

it(
  'a Cluster that was away as a whole is found again, whether it was ever there or not',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tidings-cluster-'));
    const node = await startRedisProcess({
      port: await freePortWithBus(),
      settings: [
        ...['--cluster-enabled', 'yes', '--dir', folder, '--cluster-config-file', 'node.conf'],
        // A node that never met another one does not know its own.
        ...['--cluster-announce-ip', '127.0.0.1'],
      ],
    });
    const direct = new Redis(node.url);
    await direct.cluster('ADDSLOTSRANGE', 0, 16_383);
    direct.disconnect();
    const seeds = [node.url, node.url];
    const guarded = await openGuarded(seeds);
    await node.kill();
    await vi.waitFor(async () => expect(await guarded.run()).toBe('breaker_open'), 10_000);
    const laterBorn = guard(seeds);
    await expect(laterBorn.run()).resolves.toBe('connection');
    await vi.waitFor(() => expect(laterBorn.errors).not.toEqual([]), 10_000);
    await node.restart();
    await untilCounted(guarded);
    await untilCounted(laterBorn);
    for (const { redis } of [guarded, laterBorn]) redis.close();
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  },
  TIMEOUT_MS,
);
