import type { Clock } from '../../../platform/clock.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import type { RedisEpoch } from '../../../platform/redis-epoch.js';
import { findUsers } from '../graph/users.js';
import type { User } from '../types.js';
import { createReadThrough, type Loaded, type ReadThrough } from './read-through.js';

const FRESH_MS = 60_000;
const KEPT_MS = 86_400_000;
/** Whoever reads anew what is stale is alone with it for so long. */
const REVALIDATION_MS = 5_000;

/**
 * Author summaries by user id. One that is older than a minute is still answered, for a day at most, and read anew
 * meanwhile; after `forget` nobody gets what was there before.
 */
export interface AuthorStore {
  /** The users among `userIds` that exist, by user id. One round trip, and no SQL for those that are cached. */
  find(userIds: readonly string[]): Promise<Map<string, User>>;
  /**
   * After a change of profile: the next `find` reads Postgres.
   *
   * @throws where Redis is away
   */
  forget(userIds: readonly string[]): Promise<void>;
}

interface Deps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly ids: Ids;
  readonly epoch: RedisEpoch;
  readonly clock: Clock;
  /** Milliseconds; the machine's own clock unless told. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Summary {
  readonly user: User;
  /** Milliseconds since the epoch. */
  readonly freshUntil: number;
}

export function createAuthorStore(deps: Deps): AuthorStore {
  const summaries = createReadThrough({
    ...deps,
    name: 'author',
    load: (userIds) => load(deps, userIds),
    parse: (body) => JSON.parse(body) as Summary,
  });
  return {
    async find(userIds) {
      const users = new Map<string, User>();
      const now = deps.clock.now();
      for (const summary of await summaries.read([...new Set(userIds)])) {
        if (summary === null) continue;
        users.set(summary.user.userId, summary.user);
        if (summary.freshUntil <= now) revalidate(summaries, summary, now);
      }
      return users;
    },
    forget: (userIds) => summaries.forget(userIds),
  };
}

/** Nobody waits for it, and nobody fails with it. */
function revalidate(summaries: ReadThrough<Summary>, stale: Summary, now: number): void {
  const { user } = stale;
  const meanwhile = toLoaded({ user, freshUntil: now + REVALIDATION_MS });
  void summaries.revalidate(user.userId, stale, meanwhile).catch(() => undefined);
}

/** Who does not exist is not remembered: he may come into being any moment. */
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
