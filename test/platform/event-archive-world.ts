import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createEventArchive } from '../../src/platform/event-log/archive/read.js';
import { openArchiveStore } from '../../src/platform/event-log/archive/store.js';
import { archivePartitions } from '../../src/platform/event-log/archive/write.js';
import { browseEvents } from '../../src/platform/event-log/browse.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { sealEventPartitions } from '../../src/platform/event-log/partitions.js';
import { createReader } from '../../src/platform/event-log/read.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import type { Postgres, Queryable } from '../../src/platform/postgres/postgres.js';
import { openPartitionedLog, randomFrom, readWhole, write } from './log-partitions.js';

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
  chunkBytes?: number,
): Promise<void> {
  await sealEventPartitions(deps.postgres, never);
  const bounds = { chunkEvents, ...(chunkBytes !== undefined && { chunkBytes }) };
  await archivePartitions({ ...deps, ...bounds, afterDays: 0, logger: quiet, firstPauseMs: 1 }, never);
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

/** Partitions that end at 21, 22 and 61, and some more; 12 streams, the first of them in most partitions. */
export async function openArchiveWorld(seed = 1, events = 90) {
  const on = await openPartitionedLog([21, 22, 61, FAR]);
  const random = randomFrom(seed);
  const streams = Array.from({ length: events }, () => `S-${Math.floor(random() ** 2 * 12)}`);
  await write(on.log, streams);
  const { dir, store } = await openFolderStore();
  const before = await readWhole(on.log);
  return { ...on, dir, store, log: logWith(on.postgres, store), before, random };
}

export type Whole = Awaited<ReturnType<typeof readWhole>>;

/** Every read is that of the log before anything was archived. */
export async function expectSameReads(
  log: EventLog,
  postgres: Postgres,
  { events, byStream }: Whole,
  random: () => number,
): Promise<void> {
  expect((await readWhole(log)).events).toEqual(events);
  const types = { types: ['Other'] };
  expect((await log.readAll(0, 5, types)).events).toEqual([]);
  for (const [streamId, ofStream] of byStream) {
    expect(await log.readStream(streamId)).toEqual(ofStream);
    expect(await log.lastPlace(streamId)).toBe(ofStream.length - 1);
    const after = Math.floor(random() * (ofStream.length + 1)) - 1;
    const limit = 1 + Math.floor(random() * 6);
    expect(await log.readStream(streamId, after, limit)).toEqual(
      ofStream.slice(after + 1, after + 1 + limit),
    );
    expect(await log.readFromSnapshot(streamId, 1)).toMatchObject({ snapshot: null, events: ofStream });
  }
  const moment = events[Math.floor(random() * events.length)]!.createdAt;
  const last = events.findLast(({ createdAt }) => createdAt.getTime() <= moment.getTime())!;
  expect(await log.positionAt(moment)).toBe(last.globalPosition);
  expect(await log.positionAt(new Date(events[0]!.createdAt.getTime() - 1_000))).toBe(0);
  expect(await browseAll(postgres, log, 'forward')).toEqual(
    events.map(({ globalPosition }) => globalPosition),
  );
  expect(await browseAll(postgres, log, 'backward')).toEqual(
    events.map(({ globalPosition }) => globalPosition),
  );
}

async function browseAll(
  postgres: Postgres,
  log: EventLog,
  direction: 'forward' | 'backward',
): Promise<number[]> {
  const seen: number[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await browseEvents({ postgres, log }, {}, { limit: 13, direction, cursor });
    const positions = page.edges.map(({ node }) => node.globalPosition);
    if (direction === 'forward') seen.push(...positions);
    else seen.unshift(...positions);
    const { hasNextPage, hasPreviousPage, endCursor, startCursor } = page.pageInfo;
    if (!(direction === 'forward' ? hasNextPage : hasPreviousPage)) return seen;
    cursor = direction === 'forward' ? endCursor : startCursor;
  }
}

/** A process that dies at its n-th step, a statement or an object, before or after that has had its effect. */
export function killedAt(
  at: number,
  when: 'before' | 'after',
  { postgres, store }: { readonly postgres: Postgres; readonly store: ObjectStore },
): { postgres: Queryable; store: ObjectStore; isDead: () => boolean } {
  let steps = 0;
  async function step<T>(work: () => Promise<T>): Promise<T> {
    steps += 1;
    if (steps > at || (steps === at && when === 'before')) throw new Error('killed');
    const result = await work();
    if (steps === at) {
      if (result instanceof Readable) result.destroy();
      throw new Error('killed');
    }
    return result;
  }
  return {
    isDead: () => steps >= at,
    postgres: { query: (statement, values) => step(() => postgres.query(statement, values)) },
    store: {
      put: (key, body, facts) => step(() => store.put(key, body, facts)),
      get: (key) => step(() => store.get(key)),
      remove: (keys) => step(() => store.remove(keys)),
    },
  };
}
