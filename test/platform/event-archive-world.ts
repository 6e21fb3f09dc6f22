import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createEventArchive } from '../../src/platform/event-log/archive/read.js';
import { openArchiveStore } from '../../src/platform/event-log/archive/store.js';
import { archivePartitions } from '../../src/platform/event-log/archive/write.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { sealEventPartitions } from '../../src/platform/event-log/partitions.js';
import { createReader } from '../../src/platform/event-log/read.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import type { Postgres, Queryable } from '../../src/platform/postgres.js';

export const never = new AbortController().signal;
export const FAR = 1_000_000;
const quiet = { info: () => undefined, error: () => undefined };

/** A folder that goes with the test. */
export async function openFolderStore(): Promise<{ dir: string; store: ObjectStore }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tidings-event-archive-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return { dir, store: openArchiveStore({ dir }) };
}

/** The same log, as a process has it that knows the archive. */
export const logWith = (postgres: Postgres, store: ObjectStore | undefined): EventLog => ({
  ...createEventLog({ postgres, ids: uuidV7Ids(systemClock) }),
  ...createReader({
    postgres,
    upcasters: {},
    archive: createEventArchive({ postgres, store, firstPauseMs: 1 }),
  }),
});

/** Seals what is full, and archives it however young it is. */
export async function archiveAll(
  deps: { readonly postgres: Queryable; readonly store: ObjectStore },
  chunkEvents = 7,
): Promise<void> {
  await sealEventPartitions(deps.postgres, never);
  await archivePartitions({ ...deps, chunkEvents, afterDays: 0, logger: quiet, firstPauseMs: 1 }, never);
}

/** The first positions of those partitions that are in Postgres. */
export const inPostgres = async (postgres: Queryable): Promise<number[]> =>
  (
    await postgres.query<{ from: number }>(
      `SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''(\\d+)''\\)'))[1]::bigint AS "from"
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass ORDER BY 1`,
    )
  ).rows.map(({ from }) => from);

/** Tables that the log has had as partitions, in it or not. */
export const tablesOfEvents = async (postgres: Queryable): Promise<string[]> =>
  (
    await postgres.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '^events_(restored_)?from_' ORDER BY 1`,
    )
  ).rows.map(({ name }) => name);
