import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';

export type { Redis } from 'ioredis';

/** Every key that tidings writes outside BullMQ starts with this. */
export const KEY_PREFIX = 'tidings';

/** A blocking read must not ask Redis to hold its answer back for longer. */
export const LONGEST_BLOCK_MS = 5_000;

/** A peer that has gone silent is noticed: while a command waits by `socketTimeout`, else by TCP's keep-alive. */
const SILENCE = { connectTimeout: 5_000, keepAlive: 10_000, socketTimeout: 5_000 };

/**
 * Opens a connection for ordinary commands. A command waits at most 3 reconnections, then rejects, so that a dead
 * Redis is an error and not a hang.
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  return new Redis(url, { ...SILENCE, maxRetriesPerRequest: 3 }).on('error', onError);
}

/**
 * Opens a connection for producers of jobs: a command rejects at once while Redis is away, and is not sent later,
 * when nobody waits for its answer any more.
 */
export function openFailingRedis(url: string, onError: (error: Error) => void): Redis {
  return new Redis(url, { ...SILENCE, maxRetriesPerRequest: 1, enableOfflineQueue: false }).on(
    'error',
    onError,
  );
}

/**
 * Opens a connection for blocking reads or subscriptions: it waits for Redis to come back as long as it takes, and
 * then sends again what had no answer. A read that blocks for `LONGEST_BLOCK_MS` at most and stays unanswered for
 * 2 s more makes it reconnect.
 */
export function openBlockingRedis(url: string, onError: (error: Error) => void): Redis {
  const socketTimeout = LONGEST_BLOCK_MS + 2_000;
  return new Redis(url, { ...SILENCE, maxRetriesPerRequest: null, socketTimeout }).on('error', onError);
}

/** An atomic step: a `.lua` file whose header lists keys, arguments and answers. */
export interface Script {
  readonly source: string;
  readonly sha: string;
}

/** Reads a script once, at start. */
export function loadScript(file: URL): Script {
  const source = readFileSync(file, 'utf8');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Runs a script by its digest; a Redis that does not know it yet (restarted, failed over) is told its source. */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(script.source, keys.length, ...keys, ...args);
  }
}
