import type { OutboxEntry } from '../../../../platform/outbox/index.js';
import type { Queryable } from '../../../../platform/postgres.js';
import { sql } from './audience.sql.js';
import { type HiddenDeps, withoutHidden } from './hidden.js';
import { sql as mentionedSql } from './mentioned.sql.js';
import type { Notice, NoticeType } from './notices.js';

const audiences = {
  POST_LIKED: sql.liked,
  POST_COMMENTED: sql.commented,
  COMMENT_REPLY: sql.replied,
  POST_SHARED: sql.shared,
  NEW_POST: sql.published,
  NEW_FOLLOWER: sql.followed,
  USER_MENTIONED: mentionedSql.mentioned,
} satisfies Record<NoticeType, unknown>;

interface Recipient {
  readonly userId: string;
  readonly variables: Readonly<Record<string, string | number | null>>;
}

/** A notice with its recipients: one at least. */
export interface Addressed {
  readonly entry: OutboxEntry<Notice>;
  /** The same however often it is asked for: at most 64 characters. */
  readonly notificationId: string;
  readonly recipients: readonly Recipient[];
}

export interface AudienceDeps extends HiddenDeps {
  readonly postgres: Queryable;
}

/**
 * The recipients of these notices now, without those whose feed would hide them. One statement a type; notices without
 * recipients are absent.
 */
export async function findAudiences(
  deps: AudienceDeps,
  entries: readonly OutboxEntry<Notice>[],
): Promise<readonly Addressed[]> {
  const byType = [...Map.groupBy(entries, ({ payload }) => payload.type)];
  return (await Promise.all(byType.map(([type, some]) => findAudience(deps, type, some)))).flat();
}

async function findAudience(
  deps: AudienceDeps,
  type: NoticeType,
  entries: readonly OutboxEntry<Notice>[],
): Promise<readonly Addressed[]> {
  const { rows } = await deps.postgres.query(audiences[type], [
    entries.map(({ payload }) => payload.actor),
    entries.map(({ payload }) => payload.subject),
    ...(type === 'USER_MENTIONED' ? [entries.map(({ payload }) => payload.position)] : []),
  ]);
  const shown = await withoutHidden(deps, rows);
  return [...Map.groupBy(shown, ({ n, key }) => `${n} ${key}`).values()].map((recipients) => ({
    entry: entries[recipients[0]!.n - 1]!,
    notificationId: `${type}:${recipients[0]!.key}`,
    recipients: recipients.map(({ userId, variables }) => ({ userId, variables })),
  }));
}
