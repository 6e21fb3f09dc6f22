import type { RecordedEvent } from '../event-log/index.js';
import type { Queryable } from '../postgres/postgres.js';

/** The types that a projector reads the log by; undefined: all. */
export const wantedTypes = ({ eventTypes }: Pick<Projector, 'eventTypes'>): readonly string[] | undefined =>
  eventTypes === 'all' ? undefined : [...eventTypes];

/** Turns events into a read model, or into follow-up work. */
export interface Projector {
  /** Names its checkpoint and its lock; at most 64 characters; never changed. */
  readonly name: string;
  /** The events that it wants; others only move its checkpoint. */
  readonly eventTypes: ReadonlySet<string> | 'all';
  /**
   * The read model: tables that only this projector writes, filled by `apply` alone and named there without a schema.
   * Such a projector can be rebuilt, which keeps all of their names, indexes, checks, settings and grants, but neither
   * triggers nor foreign keys. A rebuild makes indexes that are not unique at its end: `apply` finds rows by their keys.
   * Absent: it causes follow-up work, which is never repeated.
   */
  readonly tables?: readonly string[];
  /**
   * Those of the tables to which `apply` only adds rows, each once because a row elsewhere says which events are in.
   * A rebuild makes what is unique in them at its end too: keys in no order would cost it more than all else.
   */
  readonly onlyAddedTo?: readonly string[];
  /**
   * Applies events in log order inside the transaction that also moves the checkpoint: all or nothing, each once.
   * Work that lies outside the transaction (a job) must carry an id derived from the event, since it may be done
   * again. A throw stalls this projector, and only it, until the event can be applied.
   *
   * @returns what to do after the commit, best effort, in the order of the commits but not awaited: wake-ups
   */
  apply(events: readonly RecordedEvent[], tx: Queryable): Promise<(() => Promise<void>) | undefined>;
}
