import type { RedisAddress } from '../redis/server-watch.js';

/** One of something that all who lead to the same Redis share. */
export interface SharedUse<T> {
  readonly one: T;
  /** The last one that does closes it. */
  release(): void;
}

/** Shares what `open` makes by where it leads. */
export function shareByAddress<T>(open: (address: RedisAddress) => T, close: (one: T) => void) {
  const opened = new Map<string, { readonly one: T; users: number }>();
  return (address: RedisAddress): SharedUse<T> => {
    const name = address.urls.join();
    const shared = opened.get(name) ?? { one: open(address), users: 0 };
    opened.set(name, shared);
    shared.users += 1;
    let isReleased = false;
    return {
      one: shared.one,
      release() {
        if (isReleased) return;
        isReleased = true;
        shared.users -= 1;
        if (shared.users > 0) return;
        opened.delete(name);
        close(shared.one);
      },
    };
  };
}
