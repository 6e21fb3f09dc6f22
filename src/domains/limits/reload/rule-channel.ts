import type { Logger } from '../../../platform/logging/logger.js';
import { publish, subscribe } from '../../../platform/redis/channel.js';
import type { Redis } from '../../../platform/redis/redis.js';

/** The channel's name is part of the public contract. Its messages carry nothing: each one is a notice of change. */
const RULE_CHANNEL = 'rate_limit_rules';

/**
 * Notices of changed rules between processes. A process that misses one finds the change at its next poll.
 *
 * @param subscriber a connection of its own, which waits for Redis as long as it takes
 * @param onNotice called for each notice, and whenever the subscription has begun anew: one may have been missed
 */
export function openRuleChannel(
  { redis, subscriber, logger }: { redis: Redis; subscriber: Redis; logger: Logger },
  onNotice: () => void,
) {
  let closed = false;
  const notice = (): void => {
    if (!closed) onNotice();
  };
  void subscribe(subscriber, RULE_CHANNEL, {
    heard: notice,
    begun: notice,
    failed(err) {
      if (!closed) logger.warn({ err }, 'cannot subscribe to changes of rate limit rules; polling');
    },
  });
  return {
    /**
     * Has every process look for changed rules. Does not wait for Redis: where it is unreachable the notice is lost, and that
     * is logged.
     */
    notify(): void {
      publish(redis, RULE_CHANNEL, 'look').catch((err: unknown) => {
        logger.warn(
          { err },
          'could not publish a change of rate limit rules; other processes find it by polling',
        );
      });
    },
    /** Closes the subscriber too, at once, whatever Redis does. */
    close(): void {
      closed = true;
      subscriber.disconnect();
    },
  };
}
