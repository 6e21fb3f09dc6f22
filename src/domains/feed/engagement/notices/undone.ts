import { z } from 'zod';
import type { RecordedEvent } from '../../../../platform/event-log/index.js';
import { causedBy, defineOutboxKind, type OutboxEntry } from '../../../../platform/outbox/index.js';
import type { Queryable } from '../../../../platform/postgres/postgres.js';
import { feedEvents } from '../../events.js';
import { sql } from './audience.sql.js';
import { enqueueSending } from './send-task.js';

/** A reaction that was taken back: what stands for several is not to count who reacted any more. */
export interface UndoneReaction {
  /** The log position of the event that took it back. */
  readonly position: number;
  /** The user id of the one who had reacted. */
  readonly actor: string;
  readonly postId: string;
}

/**
 * Undone reactions that are not withdrawn yet. A kind of its own: processes of versions before know notices alone, and would
 * take one of these for a notice that nobody wants any more.
 */
export const undoneReactionOutbox = defineOutboxKind({
  name: 'feed.undone-reaction',
  payload: { position: z.int(), actor: z.string(), postId: z.uuid() },
  keyOf: ({ position }) => String(position),
  dueAfterMs: 0,
  enqueue: enqueueSending,
});

const removals = feedEvents.only('ReactionRemoved');

/** The reaction that an event takes back, if it does. */
export const undoneReactionsOf = (recorded: RecordedEvent): OutboxEntry<UndoneReaction>[] =>
  removals.readThose([recorded]).map(({ data }) => ({
    payload: { position: recorded.globalPosition, actor: data.userId, postId: data.postId },
    ...causedBy(recorded.metadata),
  }));

/** Who had reacted to which post of whom. */
export interface Withdrawal {
  readonly entry: OutboxEntry<UndoneReaction>;
  readonly userId: string;
  readonly key: string;
  readonly actorId: string;
  /** By the database's clock: what happened again since is not undone. */
  readonly undoneAt: Date;
}

/** What is to be withdrawn of undone reactions: nothing where somebody reacted again since. */
export async function findWithdrawals(
  { postgres }: { readonly postgres: Queryable },
  entries: readonly OutboxEntry<UndoneReaction>[],
): Promise<readonly Withdrawal[]> {
  if (entries.length === 0) return [];
  const { rows } = await postgres.query(sql.unliked, [
    entries.map(({ payload }) => payload.actor),
    entries.map(({ payload }) => payload.postId),
  ]);
  return rows.map(({ n, postId, ...undone }) => ({ entry: entries[n - 1]!, key: postId, ...undone }));
}
