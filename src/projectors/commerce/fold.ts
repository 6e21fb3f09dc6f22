import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Queryable, Statement } from '../../platform/postgres.js';

/** A row of a read model. */
interface FoldedRow {
  /** The global position of the last event in it. */
  readonly last_event_position: number;
}

/** The rows that a batch of events concerns. */
export interface Fold<Row extends FoldedRow> {
  /** The row as it stands by now. */
  get(key: string): Row | undefined;
  /**
   * Changes one row by an event, unless the row has it already: an event counts only where the row's last event lies
   * before it.
   *
   * @param change answers the row after the event; undefined: the event does not concern it
   */
  apply(
    key: string,
    event: Pick<RecordedEvent, 'globalPosition'>,
    change: (row: Row | undefined) => Unplaced<Row> | undefined,
  ): void;
  /** The rows to write, each once, however many events changed it. */
  changed(): Row[];
}

/** A row as a handler gives it; where its event stood is added to it. */
export type Unplaced<Row> = Omit<Row, 'last_event_position'>;

/**
 * Folds events into rows one after the other, in log order, so that it does not matter where batches are cut. A
 * projector has one holder, so nobody else writes the rows between their reading and their writing.
 *
 * @param read answers those of the rows that there are; its one parameter is their keys
 * @param keys of the rows that the events concern, each as often as it likes
 */
export async function startFold<Row extends FoldedRow>(
  tx: Queryable,
  read: Statement<Row>,
  keys: readonly string[],
  keyOf: (row: Row) => string,
): Promise<Fold<Row>> {
  const stored = await tx.query(read, [[...new Set(keys)]]);
  const rows = new Map(stored.rows.map((row) => [keyOf(row), row]));
  const changed = new Set<string>();
  return {
    get: (key) => rows.get(key),
    apply(key, { globalPosition }, change) {
      const row = rows.get(key);
      if (row && row.last_event_position >= globalPosition) return;
      const after = change(row);
      if (!after) return;
      rows.set(key, { ...after, last_event_position: globalPosition } as Row);
      changed.add(key);
    },
    changed: () => [...changed].map((key) => rows.get(key)!),
  };
}

/**
 * The row that an event changes.
 *
 * @throws where there is none: the projector stalls at the event rather than lose it
 */
export function mustExist<Row>(row: Row | undefined, { type, streamId }: RecordedEvent): Row {
  if (!row) throw new Error(`${type} in ${streamId}, which the read model does not have`);
  return row;
}
