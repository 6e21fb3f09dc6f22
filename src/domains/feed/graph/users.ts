import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { NOW_AND_LATER, type User } from '../types.js';

const sql = loadStatements(new URL('./users.sql', import.meta.url), [
  'signIn',
  'saveProfile',
  'findUsers',
  'findFollows',
  'pageFollowers',
  'pageFollowersBack',
  'pageFollowing',
  'pageFollowingBack',
]);

const SIGN_IN_EVERY_MS = 15 * 60_000;
const REMEMBERED_SIGN_INS = 100_000;
const MAX_DISPLAY_NAME = 100;
const MAX_URL = 2_048;
/** Control characters, and those that turn or hide text: a name is what it looks like. */
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
 * Notes that a user is here; a bare profile is made on first sight. Written at most once in a quarter of an hour a
 * process: fan-out skips who has not signed in for 30 days.
 */
export function createSignIn(deps: { postgres: Queryable }): (userId: string) => Promise<void> | undefined {
  const recent = new LRUCache<string, true>({ max: REMEMBERED_SIGN_INS, ttl: SIGN_IN_EVERY_MS });
  return (userId) => {
    if (recent.has(userId)) return undefined;
    return deps.postgres.query(sql.signIn, [userId]).then(() => {
      recent.set(userId, true);
    });
  };
}

/** Saves the caller's own profile. Codes: DISPLAY_NAME_EMPTY, DISPLAY_NAME_TOO_LONG, AVATAR_URL_INVALID. */
export async function upsertProfile(
  deps: { postgres: Queryable },
  caller: Caller,
  input: { displayName: string; avatarUrl?: string | null },
): Promise<Result<User>> {
  const errors = profileFaults(input);
  if (errors.length > 0) return refusedAll(errors);
  const { rows } = await deps.postgres.query<UserRow>(sql.saveProfile, [
    caller.viewer.userId,
    input.displayName.trim(),
    input.avatarUrl ?? null,
  ]);
  return ok(toUser(rows[0]!));
}

function profileFaults(input: { displayName: string; avatarUrl?: string | null }): UserError[] {
  const faults: UserError[] = [];
  const name = ['input', 'displayName'];
  const displayName = input.displayName.trim();
  if (displayName === '')
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
    .safeParse(input.avatarUrl);
  if (!avatar.success) {
    faults.push({ code: 'AVATAR_URL_INVALID', message: 'An http(s) URL', path: ['input', 'avatarUrl'] });
  }
  return faults;
}

/** The users among `userIds` that exist, in no order. */
export async function findUsers(deps: { postgres: Queryable }, userIds: readonly string[]): Promise<User[]> {
  const { rows } = await deps.postgres.query<UserRow>(sql.findUsers, [userIds]);
  return rows.map(toUser);
}

/** How a user stands to another. */
export interface Relation {
  readonly viewerFollows: boolean;
  readonly followsViewer: boolean;
}

/** How `userId` stands to each of `others`; who does not exist is absent. */
export async function findRelations(
  deps: { postgres: Queryable },
  userId: string,
  others: readonly string[],
): Promise<Map<string, Relation>> {
  const { rows } = await deps.postgres.query<{ user_id: string; followed: boolean; follows_me: boolean }>(
    sql.findFollows,
    [userId, others],
  );
  return new Map(
    rows.map((row) => [row.user_id, { viewerFollows: row.followed, followsViewer: row.follows_me }]),
  );
}

/** When the edge was made (ms), and the other user's surrogate id. */
const edgeCursor = z.tuple([z.int().nonnegative().max(8.64e15), z.int().nonnegative()]);

const LAST_EDGE = [NOW_AND_LATER.at, Number.MAX_SAFE_INTEGER] as const;
const FIRST_EDGE = [0, 0] as const;

const edgePages = {
  followers: { forward: sql.pageFollowers, backward: sql.pageFollowersBack },
  following: { forward: sql.pageFollowing, backward: sql.pageFollowingBack },
};

/** Who follows each of these users, or whom they follow: the newest edge first. One statement for all of them. */
export async function pageFollows(
  deps: { postgres: Queryable },
  side: 'followers' | 'following',
  userIds: readonly string[],
  page: PageRequest,
): Promise<Connection<User>[]> {
  const start = page.direction === 'forward' ? LAST_EDGE : FIRST_EDGE;
  const [at, id] = decodeCursor(page.cursor, edgeCursor) ?? start;
  const { rows } = await deps.postgres.query<UserRow & { of: string; followed_at: Date }>(
    edgePages[side][page.direction],
    [userIds, new Date(at), id, page.limit + 1],
  );
  const byUser = Map.groupBy(rows, (row) => row.of);
  return userIds.map((userId) => {
    const connection = toConnection(page, byUser.get(userId) ?? [], (row) =>
      encodeCursor(row.followed_at.getTime(), row.id),
    );
    return {
      ...connection,
      edges: connection.edges.map(({ cursor, node }) => ({ cursor, node: toUser(node) })),
    };
  });
}
