import { z } from 'zod';
import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Clock } from '../../../platform/clock.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { parseJson } from '../../../platform/redis-value.js';
import { findUsers } from '../graph/users.js';
import type { User } from '../types.js';
import { createReadThrough, type Loaded, type ReadThrough } from './read-through.js';

const FRESH_MS = 60_000;
const KEPT_MS = 86_400_000;
/** For so long one process alone reads a stale summary again. */
const REVALIDATION_MS = 5_000;

/**
 * Author summaries by user id. One that is older than a minute is still answered, for a day at most, and read again
 * meanwhile; after `forget` no read answers the former one.
 */
export interface AuthorStore {
  /** The users among `userIds` that exist, by user id. One round trip, and no SQL for those that are cached. */
  find(userIds: readonly string[]): Promise<Map<string, User>>;
  /** After a change of profile: the next `find` reads Postgres. See `CacheLease.invalidate`. */
  forget(userIds: readonly string[]): Promise<void>;
}

interface Deps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly ids: Ids;
  readonly lease: CacheLease;
  readonly clock: Clock;
  /** In milliseconds; absent: by the machine's own clock. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

const summaryShape = z.strictObject({
  user: z.strictObject({
    id: z.int(),
    userId: z.string(),
    displayName: z.string(),
    avatarUrl: z.string().nullable(),
    isVerified: z.boolean(),
    isCelebrity: z.boolean(),
    followerCount: z.int(),
    followingCount: z.int(),
  }) satisfies z.ZodType<User>,
  /** Milliseconds since the epoch. */
  freshUntil: z.number(),
});
type Summary = Readonly<z.infer<typeof summaryShape>>;

export function createAuthorStore(deps: Deps): AuthorStore {
  const summaries = createReadThrough({
    ...deps,
    name: 'author',
    load: (userIds) => load(deps, userIds),
    parse: (body) => parseJson(summaryShape, body),
  });
  return {
    async find(userIds) {
      const users = new Map<string, User>();
      const now = deps.clock.now();
      for (const summary of await summaries.read([...new Set(userIds)])) {
        if (summary === null) continue;
        users.set(summary.user.userId, summary.user);
        // Fresh for longer than any summary: written by a wrong clock.
        if (summary.freshUntil <= now || summary.freshUntil > now + 2 * FRESH_MS)
          revalidate(summaries, summary, now);
      }
      return users;
    },
    forget: (userIds) => summaries.forget(userIds),
  };
}

/** In the background: the read neither waits for it nor fails with it. */
function revalidate(summaries: ReadThrough<Summary>, stale: Summary, now: number): void {
  const { user } = stale;
  const meanwhile = toLoaded({ user, freshUntil: now + REVALIDATION_MS });
  void summaries.revalidate(user.userId, stale, meanwhile).catch(() => undefined);
}

/** A user who does not exist is not cached: they may be created any moment. */
async function load(
  deps: { postgres: Queryable; clock: Clock },
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Loaded>> {
  const freshUntil = deps.clock.now() + FRESH_MS;
  const users = await findUsers(deps, userIds);
  return new Map(users.map((user) => [user.userId, toLoaded({ user, freshUntil })]));
}

const toLoaded = (summary: Summary): Loaded => ({
  version: 0,
  body: JSON.stringify(summary),
  lifeMs: KEPT_MS,
});
