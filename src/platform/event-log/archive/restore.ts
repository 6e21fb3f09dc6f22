import type { ObjectStore } from '../../object-store/store.js';
import { openPostgres, type Queryable } from '../../postgres/postgres.js';
import { WITHOUT_TIMEOUTS } from '../../postgres/postgres-timeouts.js';
import { EventArchiveError } from './error.js';
import { readLines } from './read.js';
import { sql } from './restore.sql.js';
import { type ArchiveTarget, openArchiveStore } from './store.js';

interface Deps {
  readonly postgres: Queryable;
  readonly store: ObjectStore;
  /** Gets a line for each partition that is back, and for each table that an earlier run has left. */
  readonly say?: (line: string) => void;
  readonly firstPauseMs?: number;
}

/**
 * Brings archived partitions back into Postgres, the last first, until the one that has a position is back. Readers and writers go
 * on meanwhile. A run that was killed is resumed by the next, chunk by chunk; what one has left of partitions that are not restored now
 * is dropped.
 *
 * @returns how many partitions it brought back
 * @throws EventArchiveError
 */
export async function restoreEvents(deps: Deps, position: number): Promise<number> {
  const { postgres, say } = deps;
  const { rows: abandoned } = await postgres.query(sql.dropAbandoned, [position]);
  for (const { name, dropped } of abandoned)
    say?.(`${name}, which an earlier run has left, ${dropped ? 'is dropped' : 'is in use and stays'}`);
  for (let restored = 0; ; restored += 1) {
    const { rows } = await postgres.query(sql.lastArchived, [position]);
    const partition = rows[0];
    if (!partition) return restored;
    await restorePartition(deps, partition);
    say?.(`positions ${partition.from} to ${partition.until - 1} are in Postgres again`);
  }
}

async function restorePartition(
  { postgres, store, firstPauseMs }: Deps,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  const { rows } = await postgres.query(sql.drop, [from]);
  if (!rows[0]!.dropped)
    throw new Error(`the table events_from_${from}, which was archived, is in use: try again`);
  const add = async (lines: readonly string[]): Promise<number> =>
    (await postgres.query(sql.addLines, [from, lines])).rows[0]!.position;
  for (let last = await add([]); last < until - 1; ) {
    const { rows: found } = await postgres.query(sql.chunkAt, [from, last + 1]);
    if (!found[0])
      throw new EventArchiveError(
        'EVENT_ARCHIVE_CORRUPT',
        `no object of the archive begins at position ${last + 1}`,
      );
    last = await add(await readLines(store, found[0], firstPauseMs));
  }
  await postgres.query(sql.attach, [from]);
}

/** `tidings restore-events`; see `restoreEvents`. */
export async function restoreEventsOf(
  databaseUrl: string,
  target: ArchiveTarget,
  position: number,
  say: (line: string) => void,
): Promise<number> {
  const postgres = openPostgres(databaseUrl, {
    max: 1,
    applicationName: 'tidings restore-events',
    timeouts: WITHOUT_TIMEOUTS,
    onError: (error) => say(`the connection to the database broke: ${error.message}`),
  });
  try {
    return await restoreEvents({ postgres, store: openArchiveStore(target), say }, position);
  } finally {
    await postgres.close();
  }
}
