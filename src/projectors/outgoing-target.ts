/** An event as it is published. */
export interface OutgoingEntry {
  /** In the log. */
  readonly position: number;
  readonly type: string;
  /** A CloudEvent in JSON. */
  readonly text: string;
}

/** Where events are published. Only a process that has read `newest` adds, and only behind what that was. */
export interface OutgoingTarget {
  /** The newest entry; null where there is none. Position 0: it is none that was published. */
  newest(): Promise<Pick<OutgoingEntry, 'position' | 'text'> | null>;
  /**
   * Adds entries in their order.
   *
   * @throws where one was not taken: then nothing is there that what comes before it is not
   */
  add(entries: readonly OutgoingEntry[]): Promise<void>;
  /** Removes all entries. */
  clear(): Promise<void>;
}
