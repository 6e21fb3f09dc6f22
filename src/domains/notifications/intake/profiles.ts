import { LRUCache } from 'lru-cache';
import { upTo } from '../../../platform/cache/loading-cache.js';
import { groupCommit } from '../../../platform/group-commit.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { KeptFresh } from '../freshness.js';
import { sql as statements } from './profiles.sql.js';

/** What the steps need to know of a recipient, for one notification type. */
export type Profile = RowOf<typeof statements.profiles>;

/** Profiles out of memory where they are known. A change counts from the moment when its user got the answer. */
export interface Profiles {
  /** Everybody's profile by user id, those of unknown users too: they have the defaults. */
  load(userIds: Iterable<string>, type: string): Promise<ReadonlyMap<string, Profile>>;
  /**
   * Begins to look up those who are not known, for one load that follows: they are not kept beyond it, so that a campaign's users
   * crowd nobody out. Does nothing where that load may not be answered from memory.
   */
  prefetch(userIds: readonly string[], type: string): void;
}

/** As long as a change of which this process got no wake-up may go unnoticed (notification document, limits). */
const LIFETIME_MS = 300_000;
/** About 40 MB where each has one type. */
const MAX_USERS = 100_000;
/** So many types of one user are kept; a user who gets more is looked up now and then. */
const MAX_TYPES = 20;

type Load = Promise<ReadonlyMap<string, Profile>>;

/** What is kept of a user for one type: their profile, or the load that brings it. The user's other types follow. */
interface Kept {
  readonly type: string;
  known: Profile | Load;
  next: Kept | undefined;
  /** Fetched ahead: the first load that asks takes it. */
  readonly isForOneLoad: boolean;
}

/**
 * Loads that are on their way are kept like what they bring: a caller who asks meanwhile waits for the same one, and one
 * that is forgotten in between is not kept when it arrives.
 *
 * @param deps.now milliseconds that only ever grow
 */
export function createProfiles(deps: {
  readonly postgres: Queryable;
  readonly freshness: Pick<KeptFresh, 'keep' | 'mayAnswer'>;
  readonly now?: () => number;
}): Profiles {
  const { now = () => performance.now() } = deps;
  const users = new LRUCache<string, Kept>({
    ...upTo(MAX_USERS),
    ttl: LIFETIME_MS,
    ttlResolution: 0,
    perf: { now },
  });
  const fetch = profileFetcher(deps.postgres);
  deps.freshness.keep({
    forgetUser: (userId) => void users.delete(userId),
    forgetAll: () => users.clear(),
  });

  function keep(userId: string, kept: Kept): void {
    const first = users.get(userId);
    if (!first || lengthOf(first) >= MAX_TYPES) users.set(userId, kept);
    else first.next = { ...kept, next: first.next };
  }

  /** What is known of a user. Beside other types, what was fetched for one load stays as well. */
  function find(userId: string, type: string): Profile | Load | undefined {
    const first = users.get(userId);
    const kept = ofType(first, type);
    if (kept?.isForOneLoad && kept === first && !kept.next) users.delete(userId);
    return kept?.known;
  }

  function fetchAndKeep(userIds: readonly string[], type: string, isForOneLoad: boolean): Load {
    const load = fetch({ userIds, type });
    for (const userId of userIds) keep(userId, { type, known: load, next: undefined, isForOneLoad });
    const settle = (profiles: ReadonlyMap<string, Profile> | null): void => {
      for (const userId of userIds) {
        const kept = ofType(users.peek(userId), type);
        if (kept?.known !== load) continue;
        if (profiles) kept.known = profiles.get(userId)!;
        else users.delete(userId);
      }
    };
    load.then(settle, () => settle(null));
    return load;
  }

  return {
    async load(userIds, type) {
      if (!deps.freshness.mayAnswer()) return fetch({ userIds: [...new Set(userIds)], type });
      const profiles = new Map<string, Profile>();
      const missing = new Set<string>();
      const awaited: [string, Load][] = [];
      for (const userId of userIds) {
        const known = find(userId, type);
        if (!known) missing.add(userId);
        else if (known instanceof Promise) awaited.push([userId, known]);
        else profiles.set(userId, known);
      }
      const load = missing.size > 0 ? fetchAndKeep([...missing], type, false) : null;
      for (const [userId, profile] of (await load) ?? []) profiles.set(userId, profile);
      for (const [userId, other] of awaited) profiles.set(userId, (await other).get(userId)!);
      return profiles;
    },

    prefetch(userIds, type) {
      if (!deps.freshness.mayAnswer()) return;
      const missing = userIds.filter((userId) => !ofType(users.get(userId), type));
      // Where it fails, a load that waits for it fails as well; a later one looks them up itself.
      if (missing.length > 0) void fetchAndKeep(missing, type, true);
    },
  };
}

function ofType(first: Kept | undefined, type: string): Kept | undefined {
  let kept = first;
  while (kept && kept.type !== type) kept = kept.next;
  return kept;
}

function lengthOf(first: Kept): number {
  let length = 1;
  for (let kept = first.next; kept; kept = kept.next) length += 1;
  return length;
}

interface Missing {
  readonly userIds: readonly string[];
  readonly type: string;
}

/** What many requests miss at once is one statement. */
const profileFetcher = (postgres: Queryable): ((missing: Missing) => Load) =>
  groupCommit({
    commit: async (items) => {
      const profiles = await query(postgres, items);
      let from = 0;
      return items.map(({ userIds }) => {
        const own = profiles.slice(from, from + userIds.length);
        from += userIds.length;
        return byUser(own);
      });
    },
    maxItems: 200,
    weightOf: ({ userIds }) => userIds.length,
    maxWeight: 1_000,
    callsAtOnce: 4,
  });

/** The profiles of everything that is missing, in order. */
async function query(postgres: Queryable, items: readonly Missing[]): Promise<readonly Profile[]> {
  const userIds = items.flatMap((item) => item.userIds);
  const types = items.flatMap((item) => item.userIds.map(() => item.type));
  return (await postgres.query(statements.profiles, [userIds, types])).rows;
}

const byUser = (profiles: readonly Profile[]): ReadonlyMap<string, Profile> =>
  new Map(profiles.map((profile) => [profile.userId, profile]));
