import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createLoadingCache } from '../../cache/loading-cache.js';
import type { ObjectStore } from '../../object-store/store.js';
import type { Queryable, Statement } from '../../postgres/postgres.js';
import type { RecordedEvent } from '../types.js';
import { type Chunk, decodeLines, STREAM_ORDER, toEvent } from './chunk.js';
import { EventArchiveError } from './error.js';
import { sql } from './read.sql.js';

/** Readers go through a chunk in several windows. */
const KEPT_CHUNKS = 4;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;

interface FoundChunk extends Chunk {
  /** Of what is looked for by stream: `STREAM_ORDER`; null: that of the database's collation, as a former version wrote it. */
  readonly order?: string | null;
}

/** The part of the log that is not in Postgres any more. Each call reads one object at most. */
export type EventArchive = ReturnType<typeof createEventArchive>;

/**
 * Reads the archive. An object that cannot be got, or is damaged on its way, is asked for 5 times, within some 3 s and what the
 * store takes.
 *
 * @param deps.store undefined: this process has no configuration of the archive; all calls reject
 */
export function createEventArchive(deps: {
  readonly postgres: Queryable;
  readonly store: ObjectStore | undefined;
  readonly firstPauseMs?: number;
}) {
  const { postgres, store, firstPauseMs = FIRST_PAUSE_MS } = deps;
  const kept = createLoadingCache<readonly RecordedEvent[]>({ maxSize: KEPT_CHUNKS });

  async function find(
    statement: Statement<Chunk>,
    values: readonly unknown[],
  ): Promise<FoundChunk | undefined> {
    if (!store)
      throw new EventArchiveError(
        'EVENT_ARCHIVE_NOT_CONFIGURED',
        'events are in the archive, and EVENT_ARCHIVE_S3_BUCKET or EVENT_ARCHIVE_DIR is not set',
      );
    return (await postgres.query(statement, values)).rows[0];
  }

  const eventsOf = (chunk: Chunk): readonly RecordedEvent[] | Promise<readonly RecordedEvent[]> =>
    kept.get(chunk.key, async () => (await readLines(store!, chunk, firstPauseMs)).map(toEvent));

  return {
    /**
     * The next events after a position, in order and without a gap: at least one, `limit` at most.
     *
     * @throws EventArchiveError
     */
    async readAfter(position: number, limit: number): Promise<readonly RecordedEvent[]> {
      const chunk = await find(sql.chunkAt, [position + 1]);
      if (!chunk) throw missing(`position ${position + 1}`);
      const events = await eventsOf(chunk);
      const from = position + 1 - events[0]!.globalPosition;
      const found = events.slice(from, from + limit);
      if (found[0]?.globalPosition !== position + 1) throw missing(`position ${position + 1}`, chunk);
      return found;
    },

    /**
     * The next events of a stream after a place, in order and without a gap: at least one, up to `through`.
     *
     * @throws EventArchiveError
     */
    async readStreamAfter(
      streamId: string,
      place: number,
      through: number,
    ): Promise<readonly RecordedEvent[]> {
      const chunk = await find(sql.chunkOfStream, [streamId, place]);
      if (!chunk) throw missing(`place ${place + 1} of ${streamId}`);
      if (chunk.order !== null && chunk.order !== STREAM_ORDER)
        throw new EventArchiveError(
          'EVENT_ARCHIVE_CORRUPT',
          `${chunk.key} is in order ${chunk.order}, which is not known here: restore-events brings its partition back`,
        );
      const found = (await eventsOf(chunk)).filter(
        (event) =>
          event.streamId === streamId && event.streamPosition > place && event.streamPosition <= through,
      );
      if (found[0]?.streamPosition !== place + 1) throw missing(`place ${place + 1} of ${streamId}`, chunk);
      return found;
    },

    /** The position of the last archived event that was appended by a moment, its whole millisecond included; 0 where there is none. */
    async positionAt(moment: Date): Promise<number> {
      const chunk = await find(sql.chunkAtMoment, [moment]);
      if (!chunk) return 0;
      return (
        (await eventsOf(chunk)).findLast(({ createdAt }) => createdAt.getTime() <= moment.getTime())
          ?.globalPosition ?? 0
      );
    },
  };
}

const missing = (what: string, chunk?: Chunk): EventArchiveError =>
  new EventArchiveError(
    'EVENT_ARCHIVE_CORRUPT',
    `${what} is neither in Postgres nor in ${chunk?.key ?? 'any object of the archive'}`,
  );

/** @throws EventArchiveError where it cannot be read in 5 tries */
export async function readLines(
  store: ObjectStore,
  chunk: Chunk,
  firstPauseMs = FIRST_PAUSE_MS,
): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await decodeLines(await buffer(await store.get(chunk.key)), chunk);
    } catch (error) {
      if (attempt === ATTEMPTS) {
        if (error instanceof EventArchiveError) throw error;
        const message = `${chunk.key} could not be read: ${error instanceof Error ? error.message : String(error)}`;
        const code = isGone(error) ? 'EVENT_ARCHIVE_CORRUPT' : 'EVENT_ARCHIVE_UNAVAILABLE';
        throw new EventArchiveError(code, message, { cause: error });
      }
      await pause(firstPauseMs * 2 ** (attempt - 1));
    }
  }
}

/** S3 and a folder answered that there is no such object. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'NoSuchKey' || (error as NodeJS.ErrnoException).code === 'ENOENT');
