import type { RecordedEvent } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './from-log.sql.js';

/** Queues events of the log for admins' webhooks, in the caller's transaction. Events are in the log's order. */
export async function queueFromLog(tx: Queryable, events: readonly RecordedEvent[]): Promise<void> {
  const { rows } = await tx.query(statements.wantedTypes);
  const types = new Set(rows.map(({ type }) => type));
  const wanted = events.filter(({ type }) => types.has(type));
  if (wanted.length === 0) return;
  await tx.query(statements.queue, [
    wanted.map(({ globalPosition }) => globalPosition),
    wanted.map(({ streamId }) => streamId),
    wanted.map(({ type }) => type),
    wanted.map((event) => JSON.stringify(dataOf(event))),
    wanted.map(({ createdAt }) => createdAt),
  ]);
}

const dataOf = (event: RecordedEvent) => ({
  position: event.globalPosition,
  stream_id: event.streamId,
  stream_position: event.streamPosition,
  correlation_id: event.metadata.correlationId,
  ...(event.metadata.userId !== undefined && { user_id: event.metadata.userId }),
  data: event.data,
});
