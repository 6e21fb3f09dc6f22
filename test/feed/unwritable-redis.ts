import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { keepCacheLease, type RenewedLease } from '../../src/platform/cache/cache-lease.js';
import { createMissedWrites } from '../../src/platform/cache/missed-writes.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { type FaultyProxy, startFaultyProxy } from '../platform/faulty-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startMovingAddress } from '../support/moving-address.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import { type FeedWorld, openFeedWorld, silent } from './feed-world.js';

/** One of several processes on one Postgres, each with a way to Redis of its own. */
export interface FeedProcess extends FeedWorld {
  readonly lease: RenewedLease;
}

export interface Fleet {
  readonly server: RedisProcess;
  /** Breaks the writer's way to Redis alone. */
  readonly writersLink: FaultyProxy;
  readonly readersAddress: { moveTo(port: number): void };
  writer: FeedProcess;
  readonly reader: FeedProcess;
  /** Opens one more process. */
  open(redisUrl: string): Promise<FeedProcess>;
  /** Closed with the fleet. */
  own(close: () => unknown): void;
  close(): Promise<void>;
}

export async function openFleet(): Promise<Fleet> {
  const closers: (() => unknown)[] = [];
  const [database, server] = await Promise.all([
    createTestDatabase(),
    startRedisProcess({ settings: ['--enable-protected-configs', 'yes'] }),
  ]);
  const [writersLink, readersAddress] = await Promise.all([
    startFaultyProxy(server.url),
    startMovingAddress(server.port),
  ]);
  const open = async (redisUrl: string): Promise<FeedProcess> => {
    const process = await openProcess(database, redisUrl);
    closers.push(() => process.close());
    return process;
  };
  const [writer, reader] = await Promise.all([open(writersLink.url), open(readersAddress.url)]);
  return {
    server,
    writersLink,
    readersAddress,
    writer,
    reader,
    open,
    own: (close) => void closers.push(close),
    async close() {
      server.thaw();
      for (const close of closers) await close();
      await writersLink.close();
      readersAddress.close();
      await server.stop();
      await database.drop();
    },
  };
}

async function openProcess(database: TestDatabase, redisUrl: string): Promise<FeedProcess> {
  let lease: RenewedLease | undefined;
  const following = openPostgres(database.url, {
    max: 1,
    applicationName: 'feed test lease',
    onError: () => undefined,
  });
  const world = await openFeedWorld({
    database: { url: database.url, drop: async () => undefined },
    redis: { url: redisUrl, stop: async () => undefined },
    lease(redis, postgres) {
      const metrics = new Registry();
      const missed = createMissedWrites({ postgres, following, metrics });
      lease = keepCacheLease({ redises: [redis], missed, logger: silent, metrics });
      return lease;
    },
  });
  const close = world.close;
  const kept = lease!;
  return {
    ...world,
    lease: kept,
    async close() {
      kept.close();
      await Promise.all([close(), following.close()]);
    },
  };
}

export const untilHeld = (process: FeedProcess): Promise<void> =>
  expect.poll(() => process.lease.isHeld(), { timeout: 30_000 }).toBe(true);

/** A way in which Redis can be read, somewhere, and invalidations cannot be written. */
export interface Fault {
  readonly name: string;
  begin(fleet: Fleet): Promise<void>;
  end(fleet: Fleet): Promise<void>;
}

async function command(port: number, ...words: [string, ...string[]]): Promise<void> {
  const admin = new Redis(port, '127.0.0.1');
  try {
    await admin.call(...words);
  } finally {
    admin.disconnect();
  }
}

const setting = (name: string, key: string, during: string, after: string): Fault => ({
  name,
  begin: ({ server }) => command(server.port, 'CONFIG', 'SET', key, during),
  end: ({ server }) => command(server.port, 'CONFIG', 'SET', key, after),
});

/** The folder that it saves to is gone, as a disk that takes nothing. */
const failedDisk: Fault = {
  name: 'its disk takes nothing',
  async begin({ server }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tidings-gone-'));
    await command(server.port, 'CONFIG', 'SET', 'save', '3600 1');
    await command(server.port, 'CONFIG', 'SET', 'dir', folder);
    await rm(folder, { recursive: true });
    await command(server.port, 'BGSAVE');
    const refused = () =>
      command(server.port, 'SET', 'probe', '1').then(
        () => '',
        (error: Error) => error.message,
      );
    await expect.poll(refused).toContain('MISCONF');
  },
  end: ({ server }) => command(server.port, 'CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no'),
};

/** Its replica was promoted, and the writer speaks to that one; the reader has not noticed. */
function failover(): Fault {
  let promoted: RedisProcess;
  return {
    name: 'the reader is on the old primary, the writer on the new one',
    async begin(fleet) {
      promoted = await startRedisProcess();
      fleet.own(() => promoted.stop());
      await command(promoted.port, 'REPLICAOF', '127.0.0.1', String(fleet.server.port));
      const admin = new Redis(promoted.port, '127.0.0.1');
      await expect.poll(() => admin.info('replication')).toContain('master_link_status:up');
      await admin.call('REPLICAOF', 'NO', 'ONE');
      admin.disconnect();
      fleet.writer = await fleet.open(promoted.url);
    },
    async end(fleet) {
      fleet.readersAddress.moveTo(promoted.port);
      await fleet.server.kill();
    },
  };
}

export const faults: readonly Fault[] = [
  setting('its memory is full', 'maxmemory', '1', '0'),
  setting('it has too few replicas to take writes', 'min-replicas-to-write', '1', '0'),
  failedDisk,
  {
    name: 'it became a read-only replica',
    begin: ({ server }) => command(server.port, 'REPLICAOF', '127.0.0.1', '1'),
    end: ({ server }) => command(server.port, 'REPLICAOF', 'NO', 'ONE'),
  },
  {
    name: 'it is frozen',
    begin: async ({ server }) => server.freeze(),
    end: async ({ server }) => server.thaw(),
  },
  {
    name: 'the writer is cut off from it',
    begin: ({ writersLink }) => writersLink.refuse(),
    end: ({ writersLink }) => writersLink.accept(),
  },
  {
    name: 'it answers the writer no more',
    begin: async ({ writersLink }) => writersLink.hold(),
    end: async ({ writersLink }) => writersLink.resume(),
  },
  failover(),
];
