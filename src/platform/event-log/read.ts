import { loadStatements, type Queryable } from '../postgres.js';
import { hashBody, readStoredResult } from './stored-result.js';
import type { AppendResult, EventMetadata, JsonObject, RecordedEvent } from './types.js';

const sql = loadStatements(new URL('./read.sql', import.meta.url), [
  'readStream',
  'readAll',
  'headPosition',
  'findCommandResult',
]);
const PAGE = 1_000;

/** Turns an older schema version of an event's data into the next one. Keyed by event type. */
export type Upcasters = Readonly<Record<string, (data: JsonObject) => JsonObject>>;

interface EventRow {
  global_position: number;
  stream_id: string;
  stream_position: number;
  event_type: string;
  data: JsonObject;
  metadata: EventMetadata;
  created_at: Date;
}

/** Reads the log. Every event passes its upcaster, so that readers know only the newest schema versions. */
export function createReader(deps: { postgres: Queryable; upcasters: Upcasters }) {
  const decode = (row: EventRow): RecordedEvent => ({
    globalPosition: row.global_position,
    streamId: row.stream_id,
    streamPosition: row.stream_position,
    type: row.event_type,
    data: deps.upcasters[row.event_type]?.(row.data) ?? row.data,
    metadata: row.metadata,
    createdAt: row.created_at,
  });

  return {
    /** The stream's events after position `after` (-1: all), in order. */
    async readStream(streamId: string, after = -1): Promise<RecordedEvent[]> {
      const events: RecordedEvent[] = [];
      for (let from = after; ; from = events.at(-1)!.streamPosition) {
        const { rows } = await deps.postgres.query<EventRow>(sql.readStream, [streamId, from, PAGE]);
        events.push(...rows.map(decode));
        if (rows.length < PAGE) return events;
      }
    },

    /** At most `limit` events after global position `after`, in order, on any connection. */
    async readAll(after: number, limit: number, on: Queryable = deps.postgres): Promise<RecordedEvent[]> {
      const { rows } = await on.query<EventRow>(sql.readAll, [after, limit]);
      return rows.map(decode);
    },

    /**
     * What a command id was first answered, `command-id-reused` if that was for another body, `null` for a new id.
     * For deciders: a repeat gets its first result even where deciding again would refuse it.
     */
    async findCommandResult(
      commandId: string,
      body: JsonObject,
    ): Promise<Extract<AppendResult, { kind: 'accepted' | 'command-id-reused' }> | null> {
      const { rows } = await deps.postgres.query<{ same_body: boolean; result: JsonObject }>(
        sql.findCommandResult,
        [commandId, hashBody(body)],
      );
      if (!rows[0]) return null;
      return rows[0].same_body ? readStoredResult(rows[0].result, true) : { kind: 'command-id-reused' };
    },

    /** The position of the newest event; 0 for an empty log. */
    async head(): Promise<number> {
      const { rows } = await deps.postgres.query<{ global_position: number }>(sql.headPosition);
      return rows[0]?.global_position ?? 0;
    },
  };
}

export type EventReader = ReturnType<typeof createReader>;
