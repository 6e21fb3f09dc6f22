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
 */
export function subscribe(redis: Redis, channel: string, listener: ChannelListener): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = (): void => {
    resolve();
    listener.begun?.();
  };
  const failed = (error: Error): void => listener.failed?.(error);
  if (isCluster(redis)) {
    // That is also before the first one has begun.
    redis.on('smessage', () => listener.heard()).on('subscribersReady', () => listener.begun?.());
    redis.ssubscribe(channel).then(begun, failed);
  } else {
    const begin = () => redis.subscribe(channel).then(begun, failed);
    redis.on('message', () => listener.heard()).on('ready', begin);
    if (isReady(redis)) void begin();
  }
  return promise;
}
