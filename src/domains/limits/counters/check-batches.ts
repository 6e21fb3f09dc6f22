import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { Charged, CounterUse } from './store.js';

/** Uses that are charged together, all or none, without an outcome so far. */
export interface Check {
  readonly uses: readonly CounterUse[];
  readonly resolve: (charged: Charged) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLimits {
  /** A longer script would hold up Redis's other work. */
  readonly checksABatch: number;
  /** Batches on their way at once: more would only wait in Redis, and exceed their timeout there. */
  readonly batchesAtOnce: number;
}

/**
 * Checks of one turn of the event loop are sent together. A full batch leaves at once: Redis counts it while the process
 * still gathers the next.
 *
 * @param send gives every check of a batch its outcome; never rejects
 */
export function createCheckBatches(
  send: (checks: readonly Check[]) => Promise<void>,
  { checksABatch, batchesAtOnce }: BatchLimits,
) {
  const gathered: Check[] = [];
  const bulk: Check[] = [];
  const underWay = new Set<Promise<void>>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    // After the poll phase: what arrived together leaves together.
    setImmediate(() => {
      isScheduled = false;
      sendBatches(1);
    });
  }

  /** @param least checks that are gathered, or no batch is sent */
  function sendBatches(least: number): void {
    while (gathered.length + bulk.length >= least && underWay.size < batchesAtOnce) {
      const batch = gathered.splice(0, checksABatch);
      if (bulk.length > 0) batch.push(...bulk.splice(0, checksABatch - batch.length));
      const sending: Promise<void> = forEverybody(() => send(batch)).then(() => {
        underWay.delete(sending);
        if (gathered.length + bulk.length > 0) schedule();
      });
      underWay.add(sending);
    }
  }

  return {
    /** @param isBulk lets checks that are not bulk pass */
    add: (uses: readonly CounterUse[], isBulk: boolean): Promise<Charged> =>
      new Promise((resolve, reject) => {
        (isBulk ? bulk : gathered).push({ uses, resolve, reject });
        sendBatches(checksABatch);
        schedule();
      }),

    /** Sends what is gathered; resolves when all of it has an outcome. */
    async flush(): Promise<void> {
      sendBatches(1);
      while (underWay.size > 0) {
        await Promise.all(underWay);
        sendBatches(1);
      }
    },
  };
}
