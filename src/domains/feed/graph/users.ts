import { z } from 'zod';
import type { Caller } from '../../../platform/auth/caller.js';
import { createLoadingCache } from '../../../platform/cache/loading-cache.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { hasAtMost, isBlank, isStorable, toStoredText } from '../../../platform/text.js';
import { lastIdOfADayAgo } from '../media/remove.js';
import { MAX_USER_ID, type User } from '../types.js';
import type { RelationCache } from './relations.js';
import { sql } from './users.sql.js';

const SIGN_IN_EVERY_MS = 15 * 60_000;
const REMEMBERED_SIGN_INS = 100_000;
const MAX_DISPLAY_NAME = 100;
const MAX_URL = 2_048;
/** Control characters, and those that reverse or hide text: a name is what it looks like. */
const MISLEADING = /[\p{Cc}\u200b\u202a-\u202e\u2060-\u2069\ufeff]/u;

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

interface ProfileInput {
  readonly displayName: string;
  readonly avatarUrl?: string | null;
}

/**
 * Saves the caller's own profile; their posts show it at once. An absent avatar stays as it is, null removes it. An upload of
 * theirs is kept as long as it is their picture.
 * Codes: DISPLAY_NAME_EMPTY, DISPLAY_NAME_TOO_LONG, DISPLAY_NAME_INVALID, AVATAR_URL_INVALID.
 */
export async function upsertProfile(
  deps: { postgres: Queryable; authors: Summaries; clock: Clock },
  caller: Caller,
  input: ProfileInput,
): Promise<Result<User>> {
  const displayName = toStoredText(input.displayName, MAX_DISPLAY_NAME).trim();
  const errors = profileFaults({ ...input, displayName });
  if (errors.length > 0) return refusedAll(errors);
  const { userId } = caller.viewer;
  const { rows } = await deps.postgres.query(sql.saveProfile, [
    userId,
    displayName,
    input.avatarUrl ?? null,
    input.avatarUrl !== undefined,
    lastIdOfADayAgo(deps.clock.now()),
  ]);
  if (!rows[0]!.isSaved)
    return refused('AVATAR_URL_INVALID', 'This upload is being removed: upload it again', [
      'input',
      'avatarUrl',
    ]);
  await deps.authors.forget([userId]);
  const [user] = await findUsers(deps, [userId]);
  return ok(user!);
}

function profileFaults({ displayName, avatarUrl }: ProfileInput): UserError[] {
  const faults: UserError[] = [];
  const fault = (field: keyof ProfileInput, code: string, message: string) =>
    faults.push({ code, message, path: ['input', field] });
  if (isBlank(displayName)) fault('displayName', 'DISPLAY_NAME_EMPTY', 'A name needs a character');
  if (!hasAtMost(displayName, MAX_DISPLAY_NAME))
    fault('displayName', 'DISPLAY_NAME_TOO_LONG', `At most ${MAX_DISPLAY_NAME} characters`);
  if (MISLEADING.test(displayName) || !displayName.isWellFormed())
    fault('displayName', 'DISPLAY_NAME_INVALID', 'A name is plain text');
  const avatar = z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL)
    .nullish()
    .safeParse(avatarUrl);
  if (!avatar.success) fault('avatarUrl', 'AVATAR_URL_INVALID', 'An http(s) URL');
  return faults;
}

/** Whether this can be a user's id at all. */
export const isUserId = (id: string): boolean => id !== '' && hasAtMost(id, MAX_USER_ID) && isStorable(id);

const PATH = ['input', 'userId'];
/** What a mutation that names a user refuses. */
export const invalidId = refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, PATH);
export const noSuchUser = refused('NOT_FOUND', 'There is no such user', PATH);

/**
 * Sets whether a user is verified; their posts show it at once. Harmless to repeat. The caller's right to do so was checked
 * before. Codes: ID_INVALID, NOT_FOUND.
 */
export async function setVerified(
  deps: { postgres: Queryable; authors: Summaries },
  { userId, verified }: { readonly userId: string; readonly verified: boolean },
): Promise<Result<User>> {
  if (!isUserId(userId)) return invalidId;
  await deps.postgres.query(sql.setVerified, [userId, verified]);
  await deps.authors.forget([userId]);
  const [user] = await findUsers(deps, [userId]);
  return user ? ok(user) : noSuchUser;
}

/** One run holds no more rows than this, twice; the next run goes on. */
const CHANGES_A_RUN = 1_000;

/**
 * Gives and removes the status of a celebrity, by the number of followers. It affects only posts published from now on: a
 * post is pushed or pulled by its author's status when it was published. Harmless to repeat and to kill.
 *
 * @returns whose status changed
 */
export async function settleCelebrities(deps: {
  postgres: Queryable;
  relations: Pick<RelationCache, 'pulledAuthorsChanged'>;
  authors: Summaries;
  /** Followers from which an author is a celebrity. */
  config: { readonly celebrityFollowers: number };
}): Promise<string[]> {
  const { rows } = await deps.postgres.query(sql.settle, [deps.config.celebrityFollowers, CHANGES_A_RUN]);
  const changed = rows.map((row) => row.user_id);
  // A process that published a pulled post announced it, unless it was killed before.
  await Promise.all([deps.authors.forget(changed), deps.relations.pulledAuthorsChanged()]);
  return changed;
}

/** The users among `userIds` that exist, in no order. */
export async function findUsers(deps: { postgres: Queryable }, userIds: readonly string[]): Promise<User[]> {
  return (await deps.postgres.query(sql.findUsers, [userIds.filter(isUserId)])).rows;
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
