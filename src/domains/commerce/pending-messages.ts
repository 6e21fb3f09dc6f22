import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { LookBack } from '../../platform/look-back.js';
import { loadStatements, type Queryable } from '../../platform/postgres.js';
import type { Queues } from '../../platform/queues.js';
import { tellUserTask } from './tasks.js';

const sql = loadStatements(new URL('./pending-messages.sql', import.meta.url), [
  'note',
  'settle',
  'takeUpOverdue',
]);

/** An event that a user is still to be told of. */
export interface PendingMessage {
  readonly streamId: string;
  readonly streamPosition: number;
  readonly correlationId: string;
}

/** Notes events as still to be told of, whatever becomes of Redis; in the transaction that passes them. */
export async function noteMessages(
  tx: Queryable,
  events: readonly RecordedEvent[],
): Promise<PendingMessage[]> {
  const messages = events.map(({ streamId, streamPosition, metadata: { correlationId } }) => ({
    streamId,
    streamPosition,
    correlationId,
  }));
  await tx.query(sql.note, [
    messages.map(({ streamId }) => streamId),
    messages.map(({ streamPosition }) => streamPosition),
    messages.map(({ correlationId }) => correlationId),
  ]);
  return messages;
}

/** There is nothing more to tell of this event. */
export async function settleMessage(
  postgres: Queryable,
  { streamId, streamPosition }: Omit<PendingMessage, 'correlationId'>,
): Promise<void> {
  await postgres.query(sql.settle, [streamId, streamPosition]);
}

/** Messages whose job was lost or failed, `limit` at most. Each is taken up again after a while, less and less often. */
export async function takeUpOverdueMessages(
  { postgres, lookBack }: { readonly postgres: Queryable; readonly lookBack: LookBack },
  limit: number,
): Promise<readonly PendingMessage[]> {
  return lookBack.look(
    async (backMs) => (await postgres.query<PendingMessageRow>(sql.takeUpOverdue, [limit, backMs])).rows,
    (taken) => taken.length < limit,
  );
}

interface PendingMessageRow extends PendingMessage {
  readonly [column: string]: unknown;
}

/** Rings for messages; a ring that is lost is made up for by the sweeper. */
export const ringMessages = (
  queues: Pick<Queues, 'enqueueMany'>,
  messages: readonly PendingMessage[],
): Promise<void> =>
  queues.enqueueMany(
    tellUserTask,
    messages.map(({ streamId, streamPosition, correlationId }) => ({
      payload: { streamId, streamPosition },
      options: { correlationId, doorbell: `${streamId}@${streamPosition}` },
    })),
  );
