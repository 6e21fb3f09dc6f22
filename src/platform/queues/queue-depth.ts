import { Gauge, type Registry } from 'prom-client';
import { withinMs } from '../deadline.js';
import type { Queues } from './queues.js';

const SCRAPE_MS = 1_000;

/** Measures how many jobs each queue holds, by state, on every scrape. A queue that does not answer is left out. */
export function observeQueues(
  registry: Registry,
  queues: Pick<Queues, 'counts'>,
  names: readonly string[],
): void {
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs in a queue by state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const answers = await Promise.allSettled(names.map((name) => withinMs(SCRAPE_MS, queues.counts(name))));
      this.reset();
      answers.forEach((answer, index) => {
        if (answer.status === 'rejected') return;
        for (const [state, jobs] of Object.entries(answer.value)) {
          this.set({ queue: names[index]!, state }, jobs);
        }
      });
    },
  });
}
