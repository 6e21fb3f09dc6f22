import { monitorEventLoopDelay } from 'node:perf_hooks';

const LOOK_EVERY_MS = 1_000;
const RESOLUTION_MS = 10;
/** An event loop that is later than this is overloaded: what is lent makes it later. */
const TOO_LATE_MS = 20;
const SMALLEST = 1 / 16;
const GROWTH = 1.25;

/** How much beyond its own a process can take on. */
export interface LoopPace {
  /** Something else is overloaded: down to the least at once. */
  slowDown(): void;
  close(): void;
}

/** Calls back at once, and with each change. */
export type WatchPace = (onChange: (part: number) => void) => LoopPace;

/**
 * Says, from 0 to 1, how much beyond its own this process can take on. It begins with the least, since a process that has
 * just started is slow: half as much after each second in which the
 * event loop's p99 delay was above 20 ms; a quarter more after each other in which nothing asked to slow down.
 */
export const watchLoopPace: WatchPace = (onChange) => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let part = SMALLEST;
  onChange(part);
  let wasSlowedDown = false;
  const become = (next: number): void => {
    if (next === part) return;
    part = next;
    onChange(part);
  };
  const timer = setInterval(() => {
    // The histogram counts the timer's own interval in.
    const lateMs = delays.percentile(99) / 1e6 - RESOLUTION_MS;
    delays.reset();
    if (lateMs > TOO_LATE_MS) become(Math.max(SMALLEST, part / 2));
    else if (!wasSlowedDown) become(Math.min(1, part * GROWTH));
    wasSlowedDown = false;
  }, LOOK_EVERY_MS).unref();
  return {
    slowDown() {
      wasSlowedDown = true;
      become(SMALLEST);
    },
    close() {
      clearInterval(timer);
      delays.disable();
    },
  };
};
