import type { Logger } from '../../platform/logging/logger.js';
import { thinOut } from '../../platform/logging/repeated-lines.js';
import type { ServerWatch } from '../../platform/redis/server-watch.js';
import { type GuardedRedis, openGuardedRedis } from './counters/guarded-redis.js';

/**
 * Connects to the counters in the background, and logs the state of the connection.
 *
 * @param redisUrls where counters are: one address is a single Redis, several are seeds of a Cluster
 * @param timeoutMs of one command to the counters
 * @param server watches that single Redis where it is also the processes' own
 * @param meanwhile what happens as long as they are away
 */
export function openCounters(
  deps: {
    redisUrls: readonly string[];
    timeoutMs: number;
    server?: ServerWatch | undefined;
    logger: Logger;
  },
  meanwhile?: string,
): GuardedRedis {
  const { redisUrls: urls, timeoutMs, server, logger } = deps;
  return openGuardedRedis({ urls, timeoutMs, server, ...createCounterLog(logger, urls, meanwhile) });
}

/**
 * Logs the state of the counters' connection.
 *
 * @param urls where the counters are; only their hosts are written, since addresses may hold passwords
 */
export function createCounterLog(
  logger: Logger,
  urls: readonly string[],
  meanwhile = 'rules decide by their `fail`',
) {
  const pass = thinOut();
  const hosts = urls.map((url) => new URL(url).host);
  return {
    onError: (err: Error) => logger.warn({ err, hosts }, 'the connection to the rate limit counters failed'),
    onState(state: 'open' | 'closed') {
      // Warnings that repeat are thinned out by the logger.
      if (state === 'closed') {
        if (pass(state, performance.now()))
          logger.info({ hosts }, 'the rate limit counters can be reached again');
      } else logger.warn({ hosts }, `the rate limit counters cannot be reached: ${meanwhile}`);
    },
  };
}
