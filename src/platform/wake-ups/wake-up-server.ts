import { connectAnew, type Redis } from '../redis/redis.js';
import { type Following, followServer, type ServerWatch } from '../redis/server-watch.js';

const LOOK_EVERY_MS = 1_000;
/** For longer than this, what is published may be out of this process's reach. */
const ANEW_EVERY_MS = 5_000;

/**
 * Keeps a hub's reader on the server that the cache lease is held on, as `followServer` does, and has all subscribers read
 * their sources:
 *
 * - once a lease is first held on another life of Redis: until then others may have published to the one before;
 * - every 5 s while there is no lease, or the reader's server is another. The reader connects anew as often.
 *
 * @param deps.checkSource rejects where subscribers could not read their sources: they are left alone then
 */
export function followServerOfHub(deps: {
  readonly redis: Redis;
  readonly lease: ServerWatch;
  readonly checkSource: () => Promise<unknown>;
  readonly notifyAll: () => void;
}): Following {
  const { redis, lease, checkSource, notifyAll } = deps;
  const following = followServer(redis, lease);
  let since: number | undefined;
  /** The life of Redis that subscribers read their sources for. */
  let notifiedOf: string | undefined;

  function look(): void {
    const life = lease.life();
    if (life !== undefined && life !== notifiedOf) {
      notifiedOf = life;
      notifyAll();
    }
    if (lease.isHeld() && following.isRight()) {
      since = undefined;
      return;
    }
    const now = performance.now();
    since ??= now;
    if (now - since < ANEW_EVERY_MS) return;
    since = now;
    connectAnew(redis);
    checkSource().then(notifyAll, () => undefined);
  }

  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    isRight: () => following.isRight() && lease.life() === notifiedOf,
    stop() {
      clearInterval(timer);
      following.stop();
    },
  };
}
