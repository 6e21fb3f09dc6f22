import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { DeliveryReport } from '../delivery/report.js';
import { sql as statements } from './acknowledge.sql.js';
import type { HandedItem } from './item.js';

/** Reports to deliveries what their users' clients were handed, and what was read. Nobody waits for it. */
export interface Acknowledgements {
  handed(items: readonly Owed[]): void;
  /** The items of a range of an inbox's changes were marked: above `from`, up to `to`. */
  marked(userId: string, from: number, to: number): void;
}

type Owed = Pick<HandedItem, 'deliveryId' | 'owed'>;

export interface AcknowledgeDeps {
  readonly postgres: Queryable;
  /** See `recordReports`: a repeat changes nothing. */
  readonly report: (reports: readonly DeliveryReport[]) => Promise<unknown>;
  readonly logger: Logger;
}

/** An item is often handed out before its worker has noted that it was sent. */
const GATHER_MS = 250;
/** Reports of one transaction. */
const BATCH = 200;
/** Beyond this the rest is left for the next time that it is handed out. */
const MAX_GATHERED = 20_000;

/**
 * Gathers what is handed out in a quarter of a second, and reports it together. What a crash or a failing database loses is
 * reported the next time that the item is handed out: it is owed until the delivery knows it.
 */
export function createAcknowledgements({ postgres, report, logger }: AcknowledgeDeps): Acknowledgements {
  const gathered = new Map<string, DeliveryReport>();
  /** One after the other, so that reporting takes one connection however much there is to report. */
  let reporting: Promise<void> = Promise.resolve();

  const reportLater = (work: () => Promise<void>): void => {
    reporting = reporting
      .then(() => forEverybody(work))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'it could not be recorded that deliveries were seen'),
      );
  };

  async function reportGathered(): Promise<void> {
    const reports = [...gathered.values()];
    gathered.clear();
    for (let from = 0; from < reports.length; from += BATCH) await report(reports.slice(from, from + BATCH));
  }

  async function reportMarked(userId: string, from: number, to: number): Promise<void> {
    for (let after = from; after < to; ) {
      const { rows } = await postgres.query(statements.owedBetween, [userId, after, to, BATCH]);
      await report(rows.flatMap(toReport));
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.change;
    }
  }

  return {
    handed(items) {
      const wasEmpty = gathered.size === 0;
      for (const one of items.flatMap(toReport)) {
        if (gathered.size < MAX_GATHERED) gathered.set(one.deliveryId, one);
      }
      if (wasEmpty && gathered.size > 0) setTimeout(() => reportLater(reportGathered), GATHER_MS);
    },
    marked: (userId, from, to) => reportLater(() => reportMarked(userId, from, to)),
  };
}

const toReport = ({ deliveryId, owed }: Owed): DeliveryReport[] =>
  owed === null ? [] : [{ deliveryId, kind: owed }];
