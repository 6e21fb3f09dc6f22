import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformConfig } from '../config.js';
import { withinMs } from '../deadline.js';
import { readable } from '../postgres/migration-error.js';
import { createClient } from '../postgres/postgres.js';
import { openRedis } from '../redis/redis.js';
import { isUnavailable } from '../unavailable.js';
import { StartError } from './start-error.js';

const AGAIN_AFTER_MS = 500;
const CHECK_MS = 5_000;

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
  config: Pick<PlatformConfig, 'databaseUrl' | 'redisUrl' | 'startupTimeoutMs'>,
  logger: Says,
): Promise<void> {
  await Promise.all([
    waitForPostgres(config.databaseUrl, config.startupTimeoutMs, logger),
    waitFor('redis', config.startupTimeoutMs, logger, () => askRedis(config.redisUrl)),
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

/** Rejects with what its connection said last, since the command knows only that it was given up. */
export async function askRedis(url: string): Promise<void> {
  let reason: Error | undefined;
  const redis = openRedis(url, (error) => {
    reason = error;
  });
  try {
    await redis.ping();
  } catch (error) {
    throw isRefusal(error) ? error : (reason ?? error);
  } finally {
    redis.disconnect();
  }
}

const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';
