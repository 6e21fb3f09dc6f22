import type { Workload } from '../workload.ts';

/** One event on its way into a store. */
export interface EventToAppend {
  readonly streamId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, string | number>>;
  /** Of the command that caused it: what a repeat would carry again. */
  readonly commandId: string;
}

/** An event store as a writer uses it. */
export interface Store {
  /** Appends one event, whatever its stream's version is. `conflict`: nothing was stored, try again. */
  append(event: EventToAppend): Promise<'stored' | 'conflict'>;
  close(): Promise<void>;
}

/** A kind of event store on Postgres. */
export interface StoreKind {
  readonly name: string;
  /** Its table of events, for the check after a run, and the position of a stream's first event. */
  readonly table: string;
  readonly firstPosition: number;
  /** Whether it promises global positions without gaps. */
  readonly gapless: boolean;
  /** Makes its tables in an empty database. */
  migrate(databaseUrl: string): Promise<void>;
  /** Opens it with as many connections as make it fastest for one process's part of the workload. */
  open(databaseUrl: string, workload: Workload): Promise<Store>;
}
