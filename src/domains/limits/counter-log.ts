import type { Logger } from '../../platform/logger.js';

/** What the log says of the counters' connection. */
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
  const hosts = urls.map((url) => new URL(url).host);
  return {
    onError: (err) => logger.warn({ err, hosts }, 'the counters’ connection failed'),
    onState(state) {
      if (state === 'closed') logger.info({ hosts }, 'counters are back');
      else logger.warn({ hosts }, `counters cannot be reached: ${meanwhile}`);
    },
  };
}
