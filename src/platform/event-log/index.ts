import type { Ids } from '../ids.js';
import type { ObjectStore } from '../object-store/store.js';
import type { Postgres } from '../postgres/postgres.js';
import { createAppender } from './append.js';
import { createEventArchive } from './archive/read.js';
import { createReader, type Upcasters } from './read.js';

export type { EventReader, LogWindow, Snapshot, Upcasters } from './read.js';
export { isArchived } from './read.js';
export { createLogTail, type LogTail } from './tail.js';
export * from './types.js';

/** The append-only log: gapless, in commit order. */
export type EventLog = ReturnType<typeof createEventLog>;

/**
 * Opens the log.
 *
 * @param deps.archive where archived events are; absent: reading one rejects with EventArchiveError
 * @param deps.onAppended gets the newest position after each call that wrote; used to wake readers
 * @param deps.callTimeoutMs after how long an append without an answer is made again; 5 s unless given
 * @param deps.giveUpAfterMs how long the database may be away before appends reject; 10 s unless given
 */
export function createEventLog(deps: {
  postgres: Postgres;
  ids: Ids;
  upcasters?: Upcasters;
  archive?: ObjectStore | undefined;
  onAppended?: (position: number) => void;
  callTimeoutMs?: number;
  giveUpAfterMs?: number;
}) {
  return {
    ...createReader({
      postgres: deps.postgres,
      upcasters: deps.upcasters ?? {},
      archive: createEventArchive({ postgres: deps.postgres, store: deps.archive }),
    }),
    /**
     * Appends one command atomically; see `AppendCommand` and `AppendResult`.
     *
     * @throws InvalidCommand where the log could not hold it
     */
    append: createAppender({ ...deps, onAppended: deps.onAppended ?? (() => undefined) }),
  };
}
