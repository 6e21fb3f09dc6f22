import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './groups.sql.js';
import type { GroupMember } from './member.js';

interface Deps {
  readonly postgres: Queryable;
  readonly clock: Clock;
}

/** Whose groups, and of what. */
export interface GroupsOf {
  readonly userIds: readonly string[];
  /** Who sent their notifications: groups of others are never touched. */
  readonly producer: string;
  /** A notification type. */
  readonly type: string;
}

/**
 * Somebody acted again, for which their earlier notification stands already: open groups count them, though they were withdrawn
 * meanwhile. Nothing is sent.
 */
export async function affirmMember(
  { postgres, clock }: Deps,
  { userIds, producer, type }: GroupsOf,
  { key, actorId, actorName }: GroupMember,
): Promise<void> {
  const now = new Date(clock.now());
  await postgres.query(statements.affirm, [userIds, producer, type, key, actorId, actorName, now]);
}

/**
 * Somebody took back what they did: the next summary does not count them. The last one stays as it is until then.
 *
 * @param undoneAt by the database's clock: who acted again since stays
 */
export async function withdrawMember(
  { postgres }: Pick<Deps, 'postgres'>,
  { userIds, producer, type }: GroupsOf,
  { key, actorId }: Pick<GroupMember, 'key' | 'actorId'>,
  undoneAt: Date,
): Promise<void> {
  await postgres.query(statements.withdraw, [userIds, producer, type, key, actorId, undoneAt]);
}
