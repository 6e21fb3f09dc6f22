import { Histogram, type Registry } from 'prom-client';

/** What is measured of reading feeds. */
export type ReadMetrics = ReturnType<typeof createReadMetrics>;

export function createReadMetrics(registry: Registry) {
  const seconds = new Histogram({
    name: 'feed_read_seconds',
    help: 'How long it took to read a page of a feed',
    buckets: [
      0.001, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1,
      2.5, 5, 10,
    ],
    registers: [registry],
  });
  return {
    /** The same reading, timed; one that is refused or fails is not counted. */
    timed:
      <Args extends readonly unknown[], Page>(read: (...args: Args) => Promise<Page>) =>
      async (...args: Args): Promise<Page> => {
        const startedAt = performance.now();
        const page = await read(...args);
        seconds.observe((performance.now() - startedAt) / 1_000);
        return page;
      },
  };
}
