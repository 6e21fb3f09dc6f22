import { answerParent } from '../../harness/answer-parent.ts';
import { type StoreName, stores } from './stores/index.ts';
import type { Store } from './stores/store.ts';
import { eventOf, type Workload } from './workload.ts';

/** What a process of writers does for the benchmark. */
export type WriterMethods = typeof methods;

/** One process's part of a run. */
export interface WritersRun {
  readonly workload: Workload;
  /** The number of this process, from 0. */
  readonly process: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** What one process's writers were told by the store. */
export interface WritersSample {
  /** Appends acknowledged over the whole run, the warm-up included. */
  readonly acknowledged: number;
  readonly conflicts: number;
  /** How long each append that was acknowledged within the measured seconds took, tries after conflicts included. */
  readonly latenciesMs: Float64Array;
}

let store: Store | undefined;

const methods = {
  migrate: async (name: StoreName, databaseUrl: string): Promise<void> => stores[name].migrate(databaseUrl),

  async open(name: StoreName, databaseUrl: string, workload: Workload): Promise<void> {
    store = await stores[name].open(databaseUrl, workload);
  },

  async run({ workload, process, warmUpSeconds, seconds }: WritersRun): Promise<WritersSample> {
    const from = performance.now() + warmUpSeconds * 1000;
    const tally: Tally = { from, until: from + seconds * 1000, acknowledged: 0, conflicts: 0, latencies: [] };
    const here = workload.writers / workload.processes;
    const writers = Array.from({ length: here }, (_, n) => write(workload, process * here + n, tally));
    await Promise.all(writers);
    const { acknowledged, conflicts, latencies } = tally;
    return { acknowledged, conflicts, latenciesMs: Float64Array.from(latencies) };
  },

  async close(): Promise<void> {
    await store?.close();
    store = undefined;
  },
};

interface Tally {
  readonly from: number;
  readonly until: number;
  acknowledged: number;
  conflicts: number;
  latencies: number[];
}

/** One writer: append, wait for the answer, append the next. */
async function write(workload: Workload, writer: number, tally: Tally): Promise<void> {
  if (!store) throw new Error('no store is open');
  for (let count = 0; performance.now() < tally.until; count += 1) {
    const event = eventOf(workload, writer, count);
    const startedAt = performance.now();
    while ((await store.append(event)) === 'conflict') tally.conflicts += 1;
    const now = performance.now();
    tally.acknowledged += 1;
    if (now >= tally.from && now < tally.until) tally.latencies.push(now - startedAt);
  }
}

answerParent(methods);
