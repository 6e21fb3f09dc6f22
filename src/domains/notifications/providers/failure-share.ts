import type { Clock } from '../../../platform/clock.js';

const WINDOW_SECONDS = 10;
const MIN_CALLS = 20;

/** How many of the last ten seconds' calls failed. */
export interface FailureShare {
  add(failed: boolean): void;
  /** Whether more than half of at least twenty calls failed. */
  isHigh(): boolean;
  reset(): void;
}

export function createFailureShare(clock: Clock): FailureShare {
  let seconds: { readonly at: number; calls: number; failures: number }[] = [];

  function recent() {
    const now = Math.floor(clock.now() / 1000);
    seconds = seconds.filter(({ at }) => now - at < WINDOW_SECONDS);
    return { now, seconds };
  }

  return {
    add(failed) {
      const { now } = recent();
      let last = seconds.at(-1);
      if (last?.at !== now) {
        last = { at: now, calls: 0, failures: 0 };
        seconds.push(last);
      }
      last.calls += 1;
      if (failed) last.failures += 1;
    },
    isHigh() {
      let calls = 0;
      let failures = 0;
      for (const second of recent().seconds) {
        calls += second.calls;
        failures += second.failures;
      }
      return calls >= MIN_CALLS && failures > calls / 2;
    },
    reset() {
      seconds = [];
    },
  };
}
