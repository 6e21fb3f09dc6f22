import type { Logger } from '../../platform/logger.js';
import { thinOut } from '../../platform/repeated-lines.js';

/** Logs the state of the counters' connection. */
export interface CounterLog {
  onError(err: Error): void;
  onState(state: 'open' | 'closed'): void;
}

/**
 * @param urls where the counters are; only their hosts are written, since addresses may hold passwords
 * @param meanwhile what happens as long as they are away
 */
export function createCounterLog(
  logger: Logger,
  urls: readonly string[],
  meanwhile = 'rules decide by their `fail`',
): CounterLog {
  const pass = thinOut();
  const hosts = urls.map((url) => new URL(url).host);
  return {
    onError: (err) => logger.warn({ err, hosts }, 'the connection to the rate limit counters failed'),
    onState(state) {
      // Warnings that repeat are thinned out by the logger.
      if (state === 'closed') {
        if (pass(state, performance.now()))
          logger.info({ hosts }, 'the rate limit counters can be reached again');
      } else logger.warn({ hosts }, `the rate limit counters cannot be reached: ${meanwhile}`);
    },
  };
}
