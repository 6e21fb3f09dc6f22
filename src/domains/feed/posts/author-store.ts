import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';
import { parseJson } from '../../../platform/redis/redis-value.js';
import type { CacheDeps } from '../cache/deps.js';
import { findUsers } from '../graph/users.js';
import type { User } from '../types.js';
import type { Loaded } from './entries.js';
import { createReadThrough } from './read-through.js';

const FRESH_MS = 60_000;
const KEPT_MS = 86_400_000;
/** For so long one process alone reads a stale summary again. */
const REVALIDATION_MS = 5_000;

export type AuthorStore = ReturnType<typeof createAuthorStore>;

interface Deps extends CacheDeps {
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

/**
 * Author summaries by user id. One that is older than a minute is still answered, for a day at most, and read again
 * meanwhile; after `forget` no read answers the former one.
 */
export function createAuthorStore(deps: Deps) {
  const summaries = createReadThrough({
    ...deps,
    name: 'author',
    load: (userIds) => load(deps, userIds),
    parse: (body) => parseJson(summaryShape, body),
  });
  /** In the background: the read neither waits for it nor fails with it. */
  function revalidate(stale: Summary, now: number): void {
    const meanwhile = toLoaded({ user: stale.user, freshUntil: now + REVALIDATION_MS });
    void summaries.revalidate(stale.user.userId, stale, meanwhile).catch(() => undefined);
  }

  return {
    /** The users among `userIds` that exist, by user id. One round trip, and no SQL for those that are cached. */
    async find(userIds: readonly string[]): Promise<Map<string, User>> {
      const users = new Map<string, User>();
      const now = deps.clock.now();
      for (const summary of await summaries.read([...new Set(userIds)])) {
        if (summary === null) continue;
        users.set(summary.user.userId, summary.user);
        // Fresh for longer than any summary: written by a wrong clock.
        if (summary.freshUntil <= now || summary.freshUntil > now + 2 * FRESH_MS) revalidate(summary, now);
      }
      return users;
    },
    /** After a change of profile: the next `find` reads Postgres. See `CacheLease.invalidate`. */
    forget: summaries.forget,
  };
}

/** A user who does not exist is not cached: they may be created any moment. */
async function load(deps: Deps, userIds: readonly string[]): Promise<ReadonlyMap<string, Loaded>> {
  const freshUntil = deps.clock.now() + FRESH_MS;
  const users = await findUsers(deps, userIds);
  return new Map(users.map((user) => [user.userId, toLoaded({ user, freshUntil })]));
}

const toLoaded = (summary: Summary): Loaded => ({
  version: 0,
  body: JSON.stringify(summary),
  lifeMs: KEPT_MS,
});
