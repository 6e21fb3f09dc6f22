import { Gauge, type Registry } from 'prom-client';
import { withinMs } from '../../platform/deadline.js';

const SAMPLE_MS = 10_000;
const WITHIN_MS = 500;

/**
 * Observes a figure that is measured now and then, because measuring costs: at most `SAMPLE_MS` old if it can be measured; else
 * the last one known, or NaN before there is any. A scrape must not fail with what it looks at, and waits no longer than
 * `WITHIN_MS`.
 *
 * @param show what the gauge shows of the figure
 */
export function observeSample(
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
  measure: () => Promise<number>,
  show: (figure: number) => number = (figure) => figure,
): void {
  let last = Number.NaN;
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

  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      if (performance.now() - measuredAt >= SAMPLE_MS) {
        await withinMs(WITHIN_MS, refresh()).catch(() => undefined);
      }
      this.set(show(last));
    },
  });
}
