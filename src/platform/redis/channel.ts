import { isCluster, isReady, type Redis } from './redis.js';

/** Publishes to a channel. On a Cluster that is a shard channel: the node of its slot alone has to do with it. */
export const publish = (redis: Redis, channel: string, message: string): Promise<unknown> =>
  isCluster(redis) ? redis.spublish(channel, message) : redis.publish(channel, message);

export interface ChannelListener {
  heard(): void;
  /** The subscription has begun, for the first time or anew: what was published before may have been missed. */
  begun?(): void;
  /** It is tried again when there is another connection. */
  failed?(error: Error): void;
}

/**
 * Subscribes to the one channel of a connection from `openSubscribingRedis`, for as long as that is open.
 *
 * @returns resolves once the subscription has begun
 * @throws where it will never: Redis does not know the command, or refuses the channel
 */
export function subscribe(redis: Redis, channel: string, listener: ChannelListener): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begun = (): void => {
    resolve();
    listener.begun?.();
  };
  const failed = (error: Error): void => {
    listener.failed?.(error);
    if (/^(NOPERM|ERR unknown command)/.test(error.message)) reject(error);
  };
  if (isCluster(redis)) {
    let hasBegun = false;
    const begin = () =>
      redis.ssubscribe(channel).then(() => {
        hasBegun = true;
        begun();
      }, failed);
    // ioredis subscribes anew to what has begun once.
    redis
      .on('smessage', () => listener.heard())
      .on('subscribersReady', () => void (hasBegun ? listener.begun?.() : begin()));
    void begin();
  } else {
    const begin = () => redis.subscribe(channel).then(begun, failed);
    redis.on('message', () => listener.heard()).on('ready', begin);
    if (isReady(redis)) void begin();
  }
  return promise;
}
