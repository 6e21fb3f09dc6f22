import { buffer } from 'node:stream/consumers';
import type { Logger } from '../../logging/logger.js';
import type { ObjectStore } from '../../object-store/store.js';
import type { Queryable } from '../../postgres/postgres.js';
import { encodeChunk, STREAM_ORDER } from './chunk.js';
import { EventArchiveError } from './error.js';
import { readLines } from './read.js';
import { keyOf } from './store.js';
import { sql } from './write.sql.js';

/** A chunk of so many is a few megabytes in memory, and some hundred kilobytes in the store. */
const CHUNK_EVENTS = 5_000;
/** Of lines that are not compressed. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const PRIVATE = 'private, no-store';
const SORTS = ['position', 'stream'] as const;

interface Partition {
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
}

interface Deps {
  readonly postgres: Queryable;
  readonly store: ObjectStore;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** Partitions whose youngest event is younger stay. */
  readonly afterDays: number;
  readonly chunkEvents?: number;
  readonly chunkBytes?: number;
  readonly firstPauseMs?: number;
}

/**
 * Moves old partitions of the log to the archive, the oldest first. Each step is small and noted, so that a run that was killed goes
 * on where it was: all events by position, all events by stream, all of it read back, the manifest, and only then out of Postgres.
 * A run notes an object only behind the one that it goes on from: where another has been there first it ends. An object's key has its
 * content's hash, so that neither overwrites what the other wrote.
 *
 * @throws EventArchiveError where an object cannot be read back, or objects are missing in between; the partition stays then, and the
 * next run writes them again
 */
export async function archivePartitions(deps: Deps, signal: AbortSignal): Promise<void> {
  await dropLeftOver(deps);
  while (!signal.aborted) {
    const { rows } = await deps.postgres.query(sql.nextPartition, [deps.afterDays]);
    const partition = rows[0];
    if (!partition) return;
    for (const sort of SORTS) if (!(await writeChunks(deps, partition, sort, signal))) return;
    await verifyChunks(deps, partition, signal);
    if (signal.aborted) return;
    const manifest = await writeManifest(deps, partition);
    const { rows: done } = await deps.postgres.query(sql.detach, [partition.from, manifest]);
    // Somebody uses the log for too long, or a projector has been put back: the next run tries again.
    if (!done[0]!.detached) return;
    deps.logger.info({ ...partition, manifest }, 'a partition of the log is in the archive');
    await dropLeftOver(deps);
  }
}

/** @returns whether all of the partition is written; not where the run was aborted, or another is at it */
async function writeChunks(
  deps: Deps,
  partition: Partition,
  sort: (typeof SORTS)[number],
  signal: AbortSignal,
): Promise<boolean> {
  const { postgres, store, chunkEvents = CHUNK_EVENTS, chunkBytes = CHUNK_BYTES } = deps;
  const { rows: found } = await postgres.query(sql.lastChunk, [partition.from, sort]);
  let number = found[0]?.number ?? 0;
  let after = [found[0]?.last_position ?? 0, found[0]?.last_stream ?? '', found[0]?.last_place ?? -1];
  while (!signal.aborted) {
    const { rows } = await postgres.query(sql.readLines, [
      partition.from,
      sort,
      ...after,
      chunkEvents,
      chunkBytes,
    ]);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return isWhole(deps, partition, sort);
    number += 1;
    const { body, sha256 } = await encodeChunk(rows.map(({ line }) => line));
    const part = `${sort}-${String(number).padStart(6, '0')}-${sha256.toString('hex').slice(0, 16)}`;
    const key = keyOf(partition, `${part}.ndjson.gz`);
    await put(store, key, body, 'application/gzip');
    const { rowCount } = await postgres.query(sql.noteChunk, [
      partition.from,
      sort,
      number,
      key,
      sha256,
      body.length,
      rows.length,
      first.position,
      first.stream,
      first.place,
      last.position,
      last.stream,
      last.place,
      first.created_at,
      ...after,
    ]);
    if (rowCount === 0) return false;
    after = [last.position, last.stream, last.place];
  }
  return false;
}

/** @throws EventArchiveError where something is missing before the last object: all of that order is written again */
async function isWhole(
  { postgres }: Deps,
  { from, until }: Partition,
  sort: (typeof SORTS)[number],
): Promise<true> {
  const { rows } = await postgres.query(sql.countEvents, [from, sort]);
  const { events } = rows[0]!;
  if (events === until - from) return true;
  await postgres.query(sql.forgetChunksFrom, [from, sort, 1]);
  throw new EventArchiveError(
    'EVENT_ARCHIVE_CORRUPT',
    `the objects by ${sort} of positions ${from} to ${until - 1} have ${events} events: all are written again`,
  );
}

async function verifyChunks(deps: Deps, { from }: Partition, signal: AbortSignal): Promise<void> {
  const { postgres, store, firstPauseMs } = deps;
  while (!signal.aborted) {
    const { rows } = await postgres.query(sql.unverified, [from]);
    if (rows.length === 0) return;
    for (const chunk of rows) {
      if (signal.aborted) return;
      try {
        await readLines(store, chunk, firstPauseMs);
      } catch (error) {
        if (error instanceof EventArchiveError && error.code === 'EVENT_ARCHIVE_CORRUPT')
          await postgres.query(sql.forgetChunksFrom, [from, chunk.sort, chunk.number]);
        throw error;
      }
      await postgres.query(sql.noteVerified, [from, chunk.sort, chunk.number, chunk.sha256]);
    }
  }
}

/** Says without the database what the partition's objects are. */
async function writeManifest({ postgres, store }: Deps, partition: Partition): Promise<string> {
  const { rows: chunks } = await postgres.query(sql.listChunks, [partition.from]);
  const text = JSON.stringify({
    format: 'tidings-events-1',
    order: STREAM_ORDER,
    firstPosition: partition.from,
    lastPosition: partition.until - 1,
    chunks,
  });
  const key = keyOf(partition, 'manifest.json');
  await put(store, key, Buffer.from(text), 'application/json');
  if ((await buffer(await store.get(key))).toString('utf8') !== text)
    throw new EventArchiveError('EVENT_ARCHIVE_CORRUPT', `${key} is not what was written`);
  return key;
}

async function dropLeftOver({ postgres }: Deps): Promise<void> {
  const { rows } = await postgres.query(sql.leftOver);
  for (const { from } of rows) await postgres.query(sql.drop, [from]);
}

async function put(store: ObjectStore, key: string, body: Buffer, contentType: string): Promise<void> {
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield body;
  }
  await store.put(key, whole(), { contentType, cacheControl: PRIVATE });
}
