import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { migrateProduct } from '../../harness/product-app.ts';
import { type ProductProcess, startProduct } from '../../harness/product-process.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';
import { foundPeople } from './people.ts';

/** A Postgres with people who can be sent to, and with what they were sent earlier. */
export interface Ground {
  /** A copy of the people's database, and an empty Redis: for one run. */
  fresh(): Promise<Place>;
  stop(): Promise<void>;
}

/** What one run has for itself. */
export interface Place {
  readonly databaseUrl: string;
  readonly redis: RedisServer;
  /** Of the servers. */
  readonly pids: { readonly Postgres: number; readonly Redis: number };
  /** An api process whose limits stay out of a producer's way. */
  startApi(): Promise<ProductProcess>;
  /** @param env where its providers are */
  startWorker(env: NodeJS.ProcessEnv): Promise<ProductProcess>;
  /** Deliveries of this run, by status. */
  deliveries(): Promise<Readonly<Record<string, number>>>;
  /** Runs one statement in the run's database; answers the rows. */
  query<Row extends Record<string, unknown>>(statement: string): Promise<Row[]>;
  /**
   * Waits until so many deliveries are DELIVERED, and there are no others.
   *
   * @throws after ten seconds
   */
  untilDelivered(count: number): Promise<void>;
  /** Ends its Redis and deletes everything; its processes must have ended. */
  stop(): Promise<void>;
}

const roomyRules = fileURLToPath(new URL('../../../rules/start.yaml', import.meta.url));

/** The producer's name tells it from what the database was founded with. */
export const ofThisRun = `producer <> 'producer-of-old'`;

const SETTLE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;

/**
 * @param people how many there are, with a phone each
 * @param more `sql` that adds to the people's database; `settings` of the server, as of `startPostgres`
 */
export async function openGround(
  people: number,
  { sql, settings = [] }: { readonly sql?: string; readonly settings?: readonly string[] } = {},
): Promise<Ground> {
  const server = await startPostgres(60, settings);
  try {
    await server.run('CREATE DATABASE founded');
    await migrateProduct(server.url('founded'));
    await foundPeople(server, 'founded', people);
    if (sql) {
      await server.run(sql, 'founded');
      await server.run('VACUUM ANALYZE', 'founded');
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { fresh: () => openPlace(server), stop: () => server.stop() };
}

async function openPlace(server: PostgresServer): Promise<Place> {
  await server.run('DROP DATABASE IF EXISTS run WITH (FORCE)');
  await server.run('CREATE DATABASE run TEMPLATE founded');
  await server.run('CHECKPOINT');
  const redis = await startRedis();
  const urls = { databaseUrl: server.url('run'), redisUrl: redis.url };
  const query: Place['query'] = (statement) => server.run(statement, 'run');
  const deliveries: Place['deliveries'] = async () => {
    const rows = await query<{ status: string; count: number }>(
      `SELECT status, count(*)::int AS count FROM deliveries WHERE ${ofThisRun} GROUP BY status`,
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };
  return {
    databaseUrl: urls.databaseUrl,
    redis,
    pids: { Postgres: await server.pid(), Redis: redis.pid },
    startApi: () => startProduct('api', { ...urls, env: { RATE_LIMIT_RULES: roomyRules } }),
    startWorker: (env) => startProduct('worker', { ...urls, env }),
    query,
    deliveries,
    async untilDelivered(count) {
      const deadline = performance.now() + SETTLE_WITHIN_MS;
      for (;;) {
        const { DELIVERED, ...others } = await deliveries();
        if (DELIVERED === count && Object.keys(others).length === 0) return;
        if (performance.now() > deadline)
          throw new Error(
            `${count} should be DELIVERED, and are ${JSON.stringify({ DELIVERED, ...others })}`,
          );
        await pause(LOOK_EVERY_MS);
      }
    },
    stop: () => redis.stop(),
  };
}
