import { withinMs } from '../../platform/deadline.js';

/** A figure that is measured now and then, because measuring costs. */
export interface Sample {
  /**
   * The figure, at most `SAMPLE_MS` old if it can be measured; else the last one known, or null before there is any.
   * Never rejects, and waits no longer than `WITHIN_MS`: a scrape must not fail with what it looks at.
   */
  read(): Promise<number | null>;
}

const SAMPLE_MS = 10_000;
const WITHIN_MS = 500;

export function createSample(measure: () => Promise<number>): Sample {
  let last: number | null = null;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let onItsWay: Promise<void> | null = null;

  function refresh(): Promise<void> {
    onItsWay ??= measure()
      .then(
        (figure) => {
          last = figure;
          measuredAt = performance.now();
        },
        // A caller that needs the source notices by itself; here an old figure is better than none.
        () => undefined,
      )
      .finally(() => {
        onItsWay = null;
      });
    return onItsWay;
  }

  return {
    async read() {
      if (performance.now() - measuredAt >= SAMPLE_MS) {
        await withinMs(WITHIN_MS, refresh()).catch(() => undefined);
      }
      return last;
    },
  };
}
