import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformConfig } from '../config.js';
import { withinMs } from '../deadline.js';
import { createClient } from '../postgres/clients.js';
import { readable } from '../postgres/migration-error.js';
import { isUnavailable } from '../unavailable.js';
import { askRedis, type RedisSettings, redisesOf } from './redis-check.js';
import { StartError } from './start-error.js';

const AGAIN_AFTER_MS = 500;
const CHECK_MS = 5_000;
const COUNTERS_CHECK_MS = 1_000;

interface Says {
  warn(fields: object, message: string): void;
}

/**
 * Waits for Postgres and Redis, and says so in one line each.
 *
 * @throws StartError, with one line: at once where waiting is no use (wrong credentials, no such database), else once
 *   `startupTimeoutMs` have passed
 */
export async function waitForDependencies(
  config: Pick<PlatformConfig, 'databaseUrl' | 'startupTimeoutMs'> & RedisSettings,
  logger: Says,
): Promise<void> {
  await Promise.all([
    waitForPostgres(config.databaseUrl, config.startupTimeoutMs, logger),
    ...redisesOf(config).map(({ variable, urls }) =>
      waitFor(`the Redis of ${variable}`, config.startupTimeoutMs, logger, () => askRedis(urls)),
    ),
    checkCounters(config.limits.redisUrls),
  ]);
}

/** The same for Postgres alone. */
export const waitForPostgres = (url: string, timeoutMs: number, logger: Says): Promise<void> =>
  waitFor('postgres', timeoutMs, logger, () => askPostgres(url));

async function waitFor(
  name: string,
  timeoutMs: number,
  logger: Says,
  ask: () => Promise<void>,
): Promise<void> {
  const ends = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withinMs(CHECK_MS, ask());
    } catch (cause) {
      const reason = readable(cause);
      if (!isWorthWaiting(cause)) throw new StartError(`${name} cannot be used: ${reason}`, { cause });
      if (performance.now() + AGAIN_AFTER_MS > ends)
        throw new StartError(`${name} cannot be used: ${reason} (waited ${timeoutMs} ms)`, { cause });
      if (attempt === 0) logger.warn({ dependency: name, reason, timeoutMs }, `waiting for ${name}`);
      await pause(AGAIN_AFTER_MS);
    }
  }
}

/** Requests are let through while their counters are away, so nobody waits for them. At a wrong address they would always be. */
async function checkCounters(urls: readonly string[]): Promise<void> {
  await withinMs(COUNTERS_CHECK_MS, askRedis(urls)).catch((cause: unknown) => {
    if (isWorthWaiting(cause)) return;
    throw new StartError(`the Redis of RATE_LIMIT_REDIS_URL cannot be used: ${readable(cause)}`, { cause });
  });
}

/** Credentials do not mend themselves. A host without a name may get one. */
const isWorthWaiting = (error: unknown): boolean =>
  isUnavailable(error) && !(error instanceof Error && /^(NOAUTH|WRONGPASS|NOPERM)/.test(error.message));

async function askPostgres(url: string): Promise<void> {
  const client = createClient(url, { applicationName: 'tidings start', timeouts: {} });
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    void client.end().catch(() => undefined);
  }
}
