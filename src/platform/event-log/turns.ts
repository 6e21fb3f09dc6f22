/** Runs `work` once every earlier work of the same key in this process has ended. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Queues by key. Commands of one process on one stream take turns, so that only other processes' commands can
 * come between a load and its append: a hot stream costs waiting instead of conflicts.
 */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    const forget = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
