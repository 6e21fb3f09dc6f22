import type { Ids } from '../ids.js';
import type { Postgres } from '../postgres.js';
import { createAppender } from './append.js';
import { createReader, type EventReader, type Upcasters } from './read.js';
import type { AppendCommand, AppendResult } from './types.js';

export type { EventReader, Upcasters } from './read.js';
export * from './types.js';

/** The append-only log: gapless, in commit order. */
export interface EventLog extends EventReader {
  /**
   * Appends one command atomically; see `AppendCommand` and `AppendResult`.
   *
   * @throws InvalidCommand where the log could not hold it
   */
  append(command: AppendCommand): Promise<AppendResult>;
}

/**
 * Opens the log.
 *
 * @param deps.onAppended is told the newest position after each call that wrote; used to wake readers
 */
export function createEventLog(deps: {
  postgres: Postgres;
  ids: Ids;
  upcasters?: Upcasters;
  onAppended?: (position: number) => void;
}): EventLog {
  const appender = createAppender({
    postgres: deps.postgres,
    ids: deps.ids,
    onAppended: deps.onAppended ?? (() => undefined),
  });
  return {
    ...createReader({ postgres: deps.postgres, upcasters: deps.upcasters ?? {} }),
    append: appender.append,
  };
}
