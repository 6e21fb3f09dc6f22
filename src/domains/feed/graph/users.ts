import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import { createLoadingCache } from '../../../platform/loading-cache.js';
import type { Queryable } from '../../../platform/postgres.js';
import { isBlank, toStoredText } from '../../../platform/text.js';
import { MAX_USER_ID, type User } from '../types.js';
import { sql } from './users.sql.js';

const SIGN_IN_EVERY_MS = 15 * 60_000;
const REMEMBERED_SIGN_INS = 100_000;
const MAX_DISPLAY_NAME = 100;
const MAX_URL = 2_048;
/** Control characters, and those that reverse or hide text: a name is what it looks like. */
const MISLEADING = /[\p{Cc}\u200b\u202a-\u202e\u2060-\u2069\ufeff]/u;

export interface UserRow {
  readonly id: number;
  readonly user_id: string;
  readonly display_name: string;
  readonly avatar_url: string | null;
  readonly is_verified: boolean;
  readonly is_celebrity: boolean;
  readonly follower_count: number;
  readonly following_count: number;
}

export const toUser = (row: UserRow): User => ({
  id: row.id,
  userId: row.user_id,
  displayName: row.display_name,
  avatarUrl: row.avatar_url,
  isVerified: row.is_verified,
  isCelebrity: row.is_celebrity,
  followerCount: row.follower_count,
  followingCount: row.following_count,
});

/**
 * Records that a user is active; the first time, a bare profile is made. Written at most once in a quarter of an hour by
 * each process: fan-out skips users who have not signed in for 30 days.
 */
export function createSignIn(deps: { postgres: Queryable }): (userId: string) => Promise<void> | undefined {
  const recent = createLoadingCache<true>({
    maxSize: REMEMBERED_SIGN_INS,
    lifetimeOf: () => SIGN_IN_EVERY_MS,
  });
  const record = async (userId: string): Promise<true> => {
    await deps.postgres.query(sql.signIn, [userId]);
    return true;
  };
  return (userId) => {
    const recorded = recent.get(userId, record);
    return recorded === true ? undefined : recorded.then(() => undefined);
  };
}

/** Author summaries that others keep. */
export interface Summaries {
  forget(userIds: readonly string[]): Promise<void>;
}

/**
 * Saves the caller's own profile; their posts show it at once. An absent avatar stays as it is, null removes it.
 * Codes: DISPLAY_NAME_EMPTY, DISPLAY_NAME_TOO_LONG, DISPLAY_NAME_INVALID, AVATAR_URL_INVALID.
 */
export async function upsertProfile(
  deps: { postgres: Queryable; authors: Summaries },
  caller: Caller,
  input: { displayName: string; avatarUrl?: string | null },
): Promise<Result<User>> {
  const displayName = toStoredText(input.displayName, MAX_DISPLAY_NAME).trim();
  const errors = profileFaults({ ...input, displayName });
  if (errors.length > 0) return refusedAll(errors);
  const { userId } = caller.viewer;
  await deps.postgres.query(sql.saveProfile, [
    userId,
    displayName,
    input.avatarUrl ?? null,
    input.avatarUrl !== undefined,
  ]);
  await deps.authors.forget([userId]);
  const [user] = await findUsers(deps, [userId]);
  return ok(user!);
}

function profileFaults({
  displayName,
  avatarUrl,
}: {
  displayName: string;
  avatarUrl?: string | null;
}): UserError[] {
  const faults: UserError[] = [];
  const name = ['input', 'displayName'];
  if (isBlank(displayName))
    faults.push({ code: 'DISPLAY_NAME_EMPTY', message: 'A name needs a character', path: name });
  if (displayName.length > MAX_DISPLAY_NAME) {
    faults.push({
      code: 'DISPLAY_NAME_TOO_LONG',
      message: `At most ${MAX_DISPLAY_NAME} characters`,
      path: name,
    });
  }
  if (MISLEADING.test(displayName) || !displayName.isWellFormed()) {
    faults.push({ code: 'DISPLAY_NAME_INVALID', message: 'A name is plain text', path: name });
  }
  const avatar = z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL)
    .nullish()
    .safeParse(avatarUrl);
  if (!avatar.success) {
    faults.push({ code: 'AVATAR_URL_INVALID', message: 'An http(s) URL', path: ['input', 'avatarUrl'] });
  }
  return faults;
}

/** Whether this can be a user's id at all: Postgres stores neither NUL nor half a surrogate pair. */
export const isUserId = (id: string): boolean =>
  id !== '' && id.length <= MAX_USER_ID && id.isWellFormed() && !id.includes('\0');

/** The users among `userIds` that exist, in no order. */
export async function findUsers(deps: { postgres: Queryable }, userIds: readonly string[]): Promise<User[]> {
  const { rows } = await deps.postgres.query(sql.findUsers, [userIds.filter(isUserId)]);
  return rows.map(toUser);
}

/** A user's relation to another. */
export interface Relation {
  /** False where either has blocked the other: the follow has no effect then. */
  readonly viewerFollows: boolean;
  readonly followsViewer: boolean;
  readonly viewerMutes: boolean;
  /** The viewer blocks the other. Whether the other blocks the viewer is never shown. */
  readonly viewerBlocks: boolean;
  /** Either way: what the one writes does not exist for the other. Never shown. */
  readonly isBlocked: boolean;
}

/** Of a viewer who is not signed in, or to a user who does not exist. */
export const NO_RELATION: Relation = {
  viewerFollows: false,
  followsViewer: false,
  viewerMutes: false,
  viewerBlocks: false,
  isBlocked: false,
};

/** The relation of `userId` to each of `others`; users who do not exist are absent. */
export async function findRelations(
  deps: { postgres: Queryable },
  userId: string,
  others: readonly string[],
): Promise<Map<string, Relation>> {
  const { rows } = await deps.postgres.query(sql.findRelations, [userId, others]);
  return new Map(
    rows.map((row) => {
      const isBlocked = row.blocked_by_me || row.blocks_me;
      return [
        row.user_id,
        {
          viewerFollows: row.followed && !isBlocked,
          followsViewer: row.follows_me && !isBlocked,
          viewerMutes: row.muted,
          viewerBlocks: row.blocked_by_me,
          isBlocked,
        },
      ];
    }),
  );
}
