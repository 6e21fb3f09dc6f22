import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Postgres, Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { createLowerBounds } from '../delivery/lower-bounds.js';
import { hasProof } from '../lifecycle/delivery.js';
import { sql as statements } from './index-deliveries.sql.js';
import { termsOf } from './terms.js';

/**
 * Entries of the queue, and about how many deliveries, that one transaction takes: some ten milliseconds of a core, which what is urgent
 * may have to wait for. More at once cost as much each.
 */
const MOST_ENTRIES = 100;
const MOST_DELIVERIES = 100;
/** So many times as long as a batch took, nothing is done: sending comes first on a server that is busy. */
const PAUSES = 3;
const LONGEST_PAUSE_MS = 2_000;

/** Long texts of many deliveries take seconds: what else the process does comes between them. */
const TURN_MS = 10;

const QUEUE = 'queue';

/**
 * Writes search documents of what was accepted, or got its text, since the last time: in the order of acceptance, one process of the
 * fleet at a time. Killed at any line, the next process does the batch again.
 *
 * @param monotonicMs milliseconds of a clock that nobody sets
 * @returns goes on until nothing is queued, or another process is at it, or the signal aborts; answers how many it wrote
 */
export function createDeliveryIndexer(
  { postgres }: { readonly postgres: Postgres },
  monotonicMs: () => number = () => performance.now(),
): (signal: AbortSignal) => Promise<number> {
  const bounds = createLowerBounds<bigint>(monotonicMs);

  const indexBatch = (): Promise<number | null> =>
    postgres.transaction(async (tx) => {
      const { rows } = await tx.query(statements.lockIndexing);
      if (!rows[0]!.taken) return null;
      const from = bounds.of(QUEUE) ?? 0n;
      const values = [from.toString(), MOST_ENTRIES, MOST_DELIVERIES];
      const { rows: entries } = await tx.query(statements.takeQueued, values);
      if (entries.length === 0) return null;
      bounds.saw(QUEUE, BigInt(entries[0]!.entryId));
      const deliveryIds = [...new Set(entries.flatMap((entry) => entry.deliveryIds ?? []))];
      const written = await writeDocuments(tx, deliveryIds);
      await tx.query(statements.complete, [entries.map(({ entryId }) => entryId)]);
      return written;
    });

  return async (signal) => {
    let indexed = 0;
    while (!signal.aborted) {
      const startedAt = monotonicMs();
      const written = await indexBatch();
      if (written === null) break;
      indexed += written;
      const pauseMs = Math.min(PAUSES * (monotonicMs() - startedAt), LONGEST_PAUSE_MS);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    return indexed;
  };
}

/** @param deliveryIds in the order of acceptance; those that are gone are left out */
async function writeDocuments(tx: Queryable, deliveryIds: readonly string[]): Promise<number> {
  const { rows } = await tx.query(statements.searched, [deliveryIds]);
  const byId = new Map(rows.map((row) => [row.deliveryId, row]));
  const documents = [];
  let turnBeganAt = performance.now();
  for (const id of deliveryIds) {
    const row = byId.get(id);
    if (row) documents.push(documentOf(row));
    if (performance.now() - turnBeganAt < TURN_MS) continue;
    await nextTurn();
    turnBeganAt = performance.now();
  }
  if (documents.length > 0) await tx.query(statements.index, [JSON.stringify(documents)]);
  return documents.length;
}

/** Codes are read at the address that they prove, so nobody finds them by searching. */
const documentOf = ({ deliveryId, createdAt, content, ...row }: RowOf<typeof statements.searched>) => ({
  deliveryId,
  createdAt,
  terms: termsOf({ ...row, content: hasProof(row) ? {} : content }),
});
