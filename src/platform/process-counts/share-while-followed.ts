import { forEverybody } from '../wake-ups/reader.js';

/**
 * Work that goes on as long as somebody follows it, once for all of them. Each follower gets what is emitted from when they
 * begin on, until their `signal` aborts; who is slow gets the next value and none in between, so that nothing is kept for them.
 *
 * @param work must not reject; its signal aborts when the last follower leaves
 */
export function shareWhileFollowed<T>(
  work: (emit: (value: T) => void, signal: AbortSignal) => Promise<void>,
): (signal: AbortSignal) => AsyncGenerator<T, void> {
  const waiting = new Set<(value: T | undefined) => void>();
  let followers = 0;
  let working: AbortController | undefined;

  function begin(): void {
    const controller = new AbortController();
    working = controller;
    const emit = (value: T): void => {
      if (controller.signal.aborted) return;
      const now = [...waiting];
      waiting.clear();
      for (const resolve of now) resolve(value);
    };
    void forEverybody(() => work(emit, controller.signal));
  }

  return async function* follow(signal) {
    if (signal.aborted) return;
    let resolveNext: ((value: T | undefined) => void) | undefined;
    const leave = (): void => resolveNext?.(undefined);
    signal.addEventListener('abort', leave, { once: true });
    followers += 1;
    if (followers === 1) begin();
    try {
      while (!signal.aborted) {
        const value = await new Promise<T | undefined>((resolve) => {
          resolveNext = resolve;
          waiting.add(resolve);
        });
        if (value === undefined) return;
        yield value;
      }
    } finally {
      if (resolveNext) waiting.delete(resolveNext);
      signal.removeEventListener('abort', leave);
      followers -= 1;
      if (followers === 0) working?.abort();
    }
  };
}
