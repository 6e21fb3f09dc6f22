import type { Logger } from '../../../platform/logger.js';
import type { Redis } from '../../../platform/redis.js';

/** The channel's name is given (document 3, Rule reload options). What is said on it says nothing: it is a doorbell. */
const RULE_CHANNEL = 'rate_limit_rules';

/** The doorbell between processes. Whoever misses it finds the news when he next looks by himself. */
export interface RuleChannel {
  /** Tells every process to look. Waits for nothing: with Redis away the ring is lost, and logged. */
  ring(): void;
  /** Closes the ear too, at once, whatever Redis does. */
  close(): void;
}

/**
 * @param ear a connection of its own, which waits for Redis as long as it takes
 * @param onRing somebody rang, or may have rung while nobody listened: called whenever the subscription has begun anew
 */
export function openRuleChannel(
  { redis, ear, logger }: { redis: Redis; ear: Redis; logger: Logger },
  onRing: () => void,
): RuleChannel {
  let closed = false;
  function listen(): void {
    ear.subscribe(RULE_CHANNEL).then(onRing, (err: unknown) => {
      if (!closed) logger.warn({ err }, 'cannot hear of new rate limit rules; looking now and then');
    });
  }
  ear.on('message', onRing);
  ear.on('ready', listen);
  if (ear.status === 'ready') listen();
  return {
    ring() {
      redis.publish(RULE_CHANNEL, 'look').catch((err: unknown) => {
        logger.warn({ err }, 'could not ring for new rate limit rules; the others find them by looking');
      });
    },
    close() {
      closed = true;
      ear.off('message', onRing);
      ear.off('ready', listen);
      ear.disconnect();
    },
  };
}
