/** Requests that come together: a worker takes over a dozen projectors within a second, and each asks. */
const GATHER_MS = 1_000;
const BETWEEN_MS = 2_000;

/**
 * Requests to notify all subscribers, some of which share one notification.
 *
 * @param notifyAll called a second after the first request of a wave, and once in two seconds at most
 */
export function createWaves(notifyAll: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  /** All were notified for another reason: what was requested before needs no notification of its own. */
  function satisfied(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    /** There will be a notification, within 2 s. */
    request(): void {
      if (timer) return;
      const wait = Math.max(GATHER_MS, lastAt + BETWEEN_MS - performance.now());
      timer = setTimeout(() => {
        satisfied();
        lastAt = performance.now();
        notifyAll();
      }, wait).unref();
    },
    satisfied,
    close: satisfied,
  };
}
