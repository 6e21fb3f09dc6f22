import { Redis } from 'ioredis';
import { expect, vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { startMovingAddress } from '../support/moving-address.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';

/** A Redis of its own that fails the way servers do, at an address that follows its primary. */
export interface FleetRedis extends Omit<RedisProcess, 'port'> {
  /** FLUSHALL: its connections stay, everything that it held is gone. */
  forget(): Promise<void>;
  /** Cuts all connections of the product, at whatever they wait for; it may connect again. */
  cut(): Promise<void>;
  /** It answers reads, and refuses what would take more memory. */
  fill(): Promise<void>;
  /** It answers reads, and refuses writes, as a primary that was made a replica by a failover. */
  makeReadOnly(): Promise<void>;
  makeWritable(): Promise<void>;
  /** Puts what no process of the product wrote into every key. Answers how many there were. */
  spoil(): Promise<number>;
  /**
   * Promotes a replica, where new connections lead from then on. The old primary becomes its replica, and breaks no
   * connection; or it still takes writes, and every second connection to it breaks.
   */
  failOver(oldPrimary: 'demoted' | 'cut off'): Promise<void>;
}

interface Primary {
  readonly server: RedisProcess;
  readonly admin: Redis;
}

async function startPrimary(): Promise<Primary> {
  const server = await startRedisProcess();
  const admin = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  admin.on('error', () => undefined);
  return { server, admin };
}

export async function startFleetRedis(): Promise<FleetRedis> {
  let primary = await startPrimary();
  const all = [primary];
  const address = await startMovingAddress(primary.server.port);
  const nobody = await freePort();
  return {
    url: address.url,
    freeze: () => primary.server.freeze(),
    thaw: () => primary.server.thaw(),
    kill: () => primary.server.kill(),
    snapshot: () => primary.server.snapshot(),
    restart: (dump) => primary.server.restart(dump),
    async forget() {
      await primary.admin.flushall();
    },
    async cut() {
      for (const type of ['normal', 'pubsub'])
        await primary.admin.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
    },
    async fill() {
      await primary.admin.config('SET', 'maxmemory', '1mb');
    },
    async makeReadOnly() {
      await primary.admin.replicaof('127.0.0.1', nobody);
    },
    async makeWritable() {
      await primary.admin.config('SET', 'maxmemory', '0');
      await primary.admin.replicaof('NO', 'ONE');
    },
    spoil: () => spoil(primary.admin),
    async failOver(oldPrimary) {
      const old = primary;
      const promoted = await startPrimary();
      all.push(promoted);
      await promoted.admin.replicaof('127.0.0.1', old.server.port);
      await vi.waitFor(
        async () => expect(await promoted.admin.info('replication')).toContain('master_link_status:up'),
        { timeout: 20_000, interval: 20 },
      );
      await promoted.admin.replicaof('NO', 'ONE');
      primary = promoted;
      address.moveTo(promoted.server.port);
      if (oldPrimary === 'demoted') await old.admin.replicaof('127.0.0.1', promoted.server.port);
      else await breakEverySecond(old.admin);
    },
    async stop() {
      address.close();
      for (const { server, admin } of all) {
        admin.disconnect();
        server.thaw();
        await server.stop();
      }
    },
  };
}

async function breakEverySecond(admin: Redis): Promise<void> {
  const clients = String(await admin.client('LIST'));
  const ids = [...clients.matchAll(/^id=(\d+)/gm)].map(([, id]) => Number(id));
  for (const [index, id] of ids.entries())
    if (index % 2 === 1) await admin.call('CLIENT', 'KILL', 'ID', id, 'SKIPME', 'yes');
}

/**
 * A value of its type that does not parse where the key is a string or a hash; another type where it is anything else.
 * Every third key of a type is hit both ways over the rounds, so both kinds occur for each.
 */
async function spoil(admin: Redis): Promise<number> {
  const keys = await admin.keys('*');
  const types = await Promise.all(keys.map((key) => admin.type(key)));
  const pipeline = admin.pipeline();
  for (const [index, key] of keys.entries()) {
    const type = types[index];
    if (type === 'string' && index % 2 === 0)
      pipeline.lpush(`${key}:spoilt`, '').del(`${key}:spoilt`).del(key).lpush(key, '{');
    else if (type === 'hash' && index % 2 === 0) {
      for (const field of await admin.hkeys(key)) pipeline.hset(key, field, '{"a":');
    } else pipeline.set(key, '{"a":');
  }
  await pipeline.exec();
  return keys.length;
}
