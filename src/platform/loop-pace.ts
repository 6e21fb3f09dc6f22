import { monitorEventLoopDelay } from 'node:perf_hooks';

const LOOK_EVERY_MS = 1_000;
const RESOLUTION_MS = 10;
/** An event loop that is later than this is overloaded: what is lent makes it later. */
const TOO_LATE_MS = 20;
const SMALLEST = 1 / 16;
const GROWTH = 1.25;

/**
 * Tells, from 0 to 1, how much beyond its own this process can take on: half as much after each second in which the
 * event loop's p99 delay was above 20 ms, or in which something else was overloaded; a quarter more after each other.
 *
 * @param isOverloaded asked once a second
 */
export function watchLoopPace(
  onChange: (part: number) => void,
  isOverloaded: () => boolean = () => false,
): { close(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let part = 1;
  const timer = setInterval(() => {
    // The histogram counts the timer's own interval in.
    const lateMs = delays.percentile(99) / 1e6 - RESOLUTION_MS;
    delays.reset();
    const next =
      isOverloaded() || lateMs > TOO_LATE_MS ? Math.max(SMALLEST, part / 2) : Math.min(1, part * GROWTH);
    if (next !== part) onChange(next);
    part = next;
  }, LOOK_EVERY_MS).unref();
  return {
    close() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
