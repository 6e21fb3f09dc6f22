import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../src/context.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { EventLog } from '../../src/platform/event-log/index.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import { loadProduct } from './product.ts';

/** Makes the product's tables in an empty database. */
export async function migrateProduct(databaseUrl: string): Promise<void> {
  const { migrate } = await loadProduct<typeof import('../../src/platform/postgres/migrations.js')>(
    'platform/postgres/migrations.js',
  );
  await migrate(databaseUrl);
}

/** The product's connections to Postgres and its log on them, with the upcasters of commerce. */
export async function openLog(
  databaseUrl: string,
  max: number,
): Promise<{ postgres: Postgres; log: EventLog }> {
  const { openPostgres } = await loadProduct<typeof import('../../src/platform/postgres/postgres.js')>(
    'platform/postgres/postgres.js',
  );
  const { createEventLog } = await loadProduct<typeof import('../../src/platform/event-log/index.js')>(
    'platform/event-log/index.js',
  );
  const { upcasters } =
    await loadProduct<typeof import('../../src/domains/commerce/index.js')>('domains/commerce/index.js');
  const { ids } = await openIds();
  const postgres = openPostgres(databaseUrl, {
    max,
    applicationName: 'bench',
    onError: (error) => process.stderr.write(`${error.message}\n`),
  });
  return { postgres, log: createEventLog({ postgres, ids, upcasters }) };
}

/** The product's own clock and ids. */
export async function openIds() {
  const { uuidV7Ids } = await loadProduct<typeof import('../../src/platform/ids.js')>('platform/ids.js');
  const { systemClock } =
    await loadProduct<typeof import('../../src/platform/clock.js')>('platform/clock.js');
  return { clock: systemClock, ids: uuidV7Ids(systemClock) };
}

/** What the product's processes are configured with, as variables of their environment. */
export const productEnvironment = (databaseUrl: string, redisUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  AUTH_SECRET: 'a-secret-of-the-benchmark-with-32-bytes-or-more',
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
});

const LEASE_WITHIN_MS = 30_000;

/** The product's own parts on these servers, in this process, from the moment when it may answer from Redis. */
export async function openProductApp(databaseUrl: string, redisUrl: string): Promise<App> {
  const { openApp } = await loadProduct<typeof import('../../src/context.js')>('context.js');
  const { readConfig } = await loadProduct<typeof import('../../src/config.js')>('config.js');
  const app = openApp(readConfig(productEnvironment(databaseUrl, redisUrl)), 'api');
  const deadline = performance.now() + LEASE_WITHIN_MS;
  while (!app.cacheLease.isHeld()) {
    if (performance.now() > deadline) throw new Error('there is no lease on Redis');
    await pause(10);
  }
  return app;
}

/** A signed-in user as domains see him; every call is a story of its own. */
export const callerNamed = (userId: string, correlationId: string, ...roles: 'admin'[]): Caller => ({
  viewer: { userId, roles: new Set(['user', ...roles]), plan: 'free' },
  correlationId,
});
