import type { OutboxEntry } from '../../../../platform/outbox/index.js';
import type { Queryable } from '../../../../platform/postgres/postgres.js';
import { sql } from './audience.sql.js';
import type { Notice } from './notices.js';

/** A notice whose cause was undone: who had acted, on which post of whom. */
export interface UndoneNotice {
  readonly entry: OutboxEntry<Notice>;
  readonly userId: string;
  readonly key: string;
  readonly actorId: string;
  /** By the database's clock: what happened again since is not undone. */
  readonly undoneAt: Date;
}

/** Of notices that were taken back those that still are: who reacted again since is left out. */
export async function findUndone(
  { postgres }: { readonly postgres: Queryable },
  entries: readonly OutboxEntry<Notice>[],
): Promise<readonly UndoneNotice[]> {
  if (entries.length === 0) return [];
  const { rows } = await postgres.query(sql.unliked, [
    entries.map(({ payload }) => payload.actor),
    entries.map(({ payload }) => payload.subject),
  ]);
  return rows.map(({ n, postId, ...undone }) => ({ entry: entries[n - 1]!, key: postId, ...undone }));
}
