import type { CacheLease } from '../../src/platform/cache/cache-lease.js';
import { isReady, type Redis } from '../../src/platform/redis/redis.js';
import { epochOf, lifeIn, shorten } from '../../src/platform/redis/redis-epoch.js';

/** Which life of which Redis a connection speaks to. */
export interface ConnectionEpoch {
  current(): Promise<string>;
}

/** Asked once a connection. */
export function epochOn(redis: Redis): ConnectionEpoch {
  let known: Promise<string> | undefined;
  redis.on('close', () => {
    known = undefined;
  });
  return {
    current() {
      known ??= Promise.all([redis.info('server'), redis.info('replication')]).then(([server, replication]) =>
        epochOf([lifeIn(server, replication)]),
      );
      known.catch(() => {
        known = undefined;
      });
      return known;
    },
  };
}

/**
 * For one process on one Redis: caches are used whenever there is a connection, and a change that Redis did not take
 * is an error. No time passes before it is held.
 */
export function heldLease(redis: Redis, epoch: ConnectionEpoch = epochOn(redis)): CacheLease {
  return {
    isHeld: () => true,
    async read(read) {
      if (!isReady(redis)) return undefined;
      try {
        const before = await epoch.current();
        const answer = await read(shorten(before));
        return (await epoch.current()) === before ? answer : undefined;
      } catch {
        return undefined;
      }
    },
    async invalidate(_, write) {
      if (!isReady(redis)) throw new Error('Redis is away');
      await write(shorten(await epoch.current()));
    },
  };
}
