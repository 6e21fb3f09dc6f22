import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Queryable, RowOf } from '../postgres/postgres.js';
import { EventArchiveError } from './archive/error.js';
import type { EventArchive } from './archive/read.js';
import { sql } from './read.sql.js';
import type { AppendResult, JsonObject, RecordedEvent } from './types.js';

const PAGE = 1_000;
/** No stream has more. */
const LAST_PLACE = 2 ** 31 - 1;

/**
 * Turns an event's data of any older schema version into the newest. Keyed by event type; data that is new already
 * comes back as it is. Pure.
 */
export type Upcasters = Readonly<
  Record<string, (data: JsonObject, event: Pick<RecordedEvent, 'streamId' | 'metadata'>) => JsonObject>
>;

/** An aggregate's state as it was stored. */
export interface Snapshot {
  /** The position of the last event in it. */
  readonly streamPosition: number;
  readonly data: JsonObject;
}

/** A part of the log, as it was stored. */
export interface LogWindow {
  /** In order. Not upcast yet: what a broken event throws concerns only those who want it; see `upcast`. */
  readonly events: readonly RecordedEvent[];
  /** The last position looked at: a reader that goes on after it misses nothing. */
  readonly through: number;
  /** Whether the log had nothing after it when the reader asked. False where that is not known. */
  readonly isLast: boolean;
}

export type EventRow = RowOf<typeof sql.readStream>;

/** A row of a statement that answers one where there is no event, too. */
export type PerhapsEventRow = { readonly [Column in keyof EventRow]: EventRow[Column] | null };

/**
 * Reads the log, in Postgres and, where that begins later, in the archive. Every event passes its upcaster, so that readers
 * know only the newest schema versions.
 */
export function createReader(deps: { postgres: Queryable; upcasters: Upcasters; archive: EventArchive }) {
  const upcast = (event: RecordedEvent): RecordedEvent => {
    const lift = deps.upcasters[event.type];
    return lift ? { ...event, data: lift(event.data, event) } : event;
  };

  /** The stream's next events after one place, through another at most; and whether there may be more up to that one. */
  async function readPlaces(
    streamId: string,
    after: number,
    through: number,
  ): Promise<{ events: readonly RecordedEvent[]; more: boolean }> {
    try {
      const { rows } = await deps.postgres.query(sql.readStream, [streamId, after, through]);
      const first = rows[0]?.stream_position ?? after + 1;
      // Places have no gaps: what is missing was there once.
      if (first !== after + 1)
        throw new EventArchiveError(
          'EVENT_ARCHIVE_CORRUPT',
          `places ${after + 1} to ${first - 1} of ${streamId} are missing`,
        );
      return { events: rows.map(toEvent), more: false };
    } catch (error) {
      if (!isArchived(error)) throw error;
      return { events: await deps.archive.readStreamAfter(streamId, after, through), more: true };
    }
  }

  async function readArchive(
    after: number,
    limit: number,
    types: readonly string[] | undefined,
  ): Promise<LogWindow> {
    const events = await deps.archive.readAfter(after, limit);
    return {
      events: types ? events.filter(({ type }) => types.includes(type)) : events,
      through: events.at(-1)!.globalPosition,
      isLast: false,
    };
  }

  async function readSnapshot(streamId: string, stateVersion: number): Promise<Snapshot | null> {
    const { rows } = await deps.postgres.query(sql.readSnapshot, [streamId, stateVersion]);
    return rows[0] ? { streamPosition: rows[0].stream_position, data: rows[0].data } : null;
  }

  return {
    /** The event in its newest schema version. @throws where its upcaster cannot read it */
    upcast,

    /** The stream's events after position `after` (-1: from the first), in order; `limit` at most. */
    async readStream(
      streamId: string,
      after = -1,
      limit = Number.POSITIVE_INFINITY,
    ): Promise<RecordedEvent[]> {
      const events: RecordedEvent[] = [];
      const last = Math.min(after + limit, LAST_PLACE);
      for (let from = after; from < last; ) {
        const through = Math.min(from + PAGE, last);
        const page = await readPlaces(streamId, from, through);
        events.push(...page.events.map(upcast));
        from = page.events.at(-1)?.streamPosition ?? from;
        if (from < through && !page.more) break;
      }
      return events;
    },

    /** The last position of a stream; -1 where there is none. */
    async lastPlace(streamId: string): Promise<number> {
      return (await deps.postgres.query(sql.lastPlace, [streamId])).rows[0]!.place;
    },

    /**
     * The stream's snapshot, if there is one of this state version, and the events after it, in order; and the life of the server
     * (`server_life`) that has them: undefined where there are none, or they were not read at once.
     */
    async readFromSnapshot(
      streamId: string,
      stateVersion: number,
    ): Promise<{ snapshot: Snapshot | null; events: RecordedEvent[]; life: string | undefined }> {
      let rows: RowOf<typeof sql.readFromSnapshot>[];
      try {
        const values = [streamId, stateVersion, PAGE];
        rows = (await deps.postgres.query(sql.readFromSnapshot, values)).rows;
      } catch (error) {
        if (!isArchived(error)) throw error;
        const snapshot = await readSnapshot(streamId, stateVersion);
        const events = await this.readStream(streamId, snapshot?.streamPosition);
        return { snapshot, events, life: undefined };
      }
      const life = rows[0]?.life;
      const first = rows[0]?.event_type === null ? rows.shift() : undefined;
      const events = rows.filter(isEvent).map(toEvent).map(upcast);
      const more =
        events.length === PAGE ? await this.readStream(streamId, events.at(-1)!.streamPosition) : [];
      return {
        snapshot: first ? { streamPosition: first.stream_position, data: first.data } : null,
        events: events.concat(more),
        life: more.length === 0 ? life : undefined,
      };
    },

    /** Stores a snapshot, unless there is a newer one. */
    async saveSnapshot(streamId: string, stateVersion: number, snapshot: Snapshot): Promise<void> {
      const { streamPosition, data } = snapshot;
      await deps.postgres.query(sql.saveSnapshot, [streamId, streamPosition, data, stateVersion]);
    },

    /**
     * The events of those types among the next `limit` positions after global position `after`, on any connection. Fewer
     * positions are looked at where they are in the archive.
     *
     * @param of.types absent: all
     * @throws EventArchiveError where the next position is in the archive and cannot be read there
     */
    async readAll(
      after: number,
      limit: number,
      of: { types?: readonly string[] | undefined; on?: Queryable | undefined } = {},
    ): Promise<LogWindow> {
      const { rows } = await (of.on ?? deps.postgres).query(sql.readAll, [after, limit, of.types ?? null]);
      const { first, through } = rows[0]!;
      if (after + 1 < first && limit > 0) return readArchive(after, limit, of.types);
      return { events: rows.filter(isEvent).map(toEvent), through, isLast: through < after + limit };
    },

    /**
     * What a command id was first answered, `command-id-reused` if that was for another body, `null` for a new id.
     * For deciders: a repeat gets its first result even where deciding again would refuse it.
     */
    async findCommandResult(
      commandId: string,
      body: JsonObject,
    ): Promise<Extract<AppendResult, { kind: 'accepted' | 'command-id-reused' }> | null> {
      const { rows } = await deps.postgres.query(sql.findCommandResult, [commandId, hashBody(body)]);
      if (!rows[0]) return null;
      return rows[0].same_body ? readStoredResult(rows[0].result, true) : { kind: 'command-id-reused' };
    },

    /** The position of the newest event; 0 for an empty log. */
    async head(): Promise<number> {
      const { rows } = await deps.postgres.query(sql.headPosition);
      return rows[0]?.global_position ?? 0;
    },

    /**
     * The position of the last event that was appended by a moment, its whole millisecond included; 0 where there is none.
     * Events may still be appended with a date of that millisecond.
     */
    async positionAt(moment: Date): Promise<number> {
      const { rows } = await deps.postgres.query(sql.positionAt, [moment]);
      return rows[0]!.is_archived ? deps.archive.positionAt(moment) : rows[0]!.global_position;
    },
  };
}

/** See prisma/functions/archived_events.sql. */
export const isArchived = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === 'TA001';

/** Where there is no event, or a snapshot in its place, the row has no position. */
export const isEvent = <Row extends PerhapsEventRow>(row: Row): row is Row & EventRow =>
  row.global_position !== null;

export const toEvent = (row: EventRow): RecordedEvent => ({
  globalPosition: row.global_position,
  streamId: row.stream_id,
  streamPosition: row.stream_position,
  type: row.event_type,
  data: row.data,
  metadata: row.metadata,
  createdAt: row.created_at,
});

export type EventReader = ReturnType<typeof createReader>;

/** What `append_commands` and the table `commands` keep of a command's body: equal bodies have equal hashes. */
export const hashBody = (body: object): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

/** An accepted command's result as it is stored in `commands`. */
export function readStoredResult(
  result: JsonObject,
  repeated: boolean,
): Extract<AppendResult, { kind: 'accepted' }> {
  return {
    kind: 'accepted',
    position: result.position as number,
    versions: result.versions as Record<string, number>,
    value: result.value as JsonObject,
    repeated,
  };
}
