/** What an accepted command answers. */
export interface Accepted {
  /** The raw id of what it was about; made up where the client gave none. */
  readonly aggregateId: string;
  /** The stream's version after it, to be passed as `afterVersion`. */
  readonly version: number;
  /** The log's position after it. */
  readonly position: number;
}

/** Absent fields of an input may be undefined or null. */
export type Optional<T> = T | null | undefined;
