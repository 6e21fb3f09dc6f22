import { setTimeout as pause } from 'node:timers/promises';
import type { Ids } from '../../../platform/ids.js';
import { parseOnce } from '../../../platform/parse-once.js';
import { isReady, KEY_PREFIX, type Redis } from '../../../platform/redis.js';
import { type RedisEpoch, shortEpoch } from '../../../platform/redis-epoch.js';
import { bodyOf, type Claim, createEntries, type Entries, type Fill, isClaimed } from './entries.js';

/** How long somebody waits, again and again, for whoever fills an entry already. */
const WAITS_MS = [10, 20, 40];

/** What Postgres says of one id. */
export interface Loaded {
  /** Grows with every change. */
  readonly version: number;
  /** Empty where it is not there. */
  readonly body: string;
  readonly lifeMs: number;
}

export interface Found<Value> {
  /** Null where it is not there; the same object as before while the entry stays the same. */
  readonly value: Value | null;
  /** The entry as Redis has it; absent where it came from Postgres. */
  readonly held?: string;
}

/**
 * A cache in Redis in front of Postgres: one refill at a time for each id, and without Redis Postgres alone. Round trips
 * do not depend on how many ids are asked for.
 */
export interface ReadThrough<Value> {
  /** Each of `ids`, which are all different. */
  read(ids: readonly string[]): Promise<Map<string, Found<Value>>>;
  /**
   * After a commit that changed them: what was cached goes, and what Postgres says now comes in its place.
   *
   * @throws at once where Redis is away
   */
  refresh(ids: readonly string[]): Promise<void>;
  /**
   * After a commit that changed them: what was cached goes.
   *
   * @throws at once where Redis is away
   */
  forget(ids: readonly string[]): Promise<void>;
  /** Reads an entry anew that still says `held`, which says `meanwhile` until then; nothing where it says another. */
  revalidate(id: string, held: string, meanwhile: Loaded): Promise<void>;
}

export interface ReadThroughDeps<Value> {
  readonly redis: Redis;
  readonly ids: Ids;
  /** A Redis that was restarted or replaced may have lost that something changed: its entries are not read again. */
  readonly epoch: RedisEpoch;
  /** What is cached: a part of each key. */
  readonly name: string;
  /** All of them, in one statement. */
  readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Loaded>>;
  /** What a body stands for. */
  readonly parse: (body: string) => Value;
  /** Milliseconds; the machine's own clock unless told. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

export function createReadThrough<Value>(deps: ReadThroughDeps<Value>): ReadThrough<Value> {
  const parse = (body: string): Value | null => (body === '' ? null : deps.parse(body));
  const epochOf = shortEpoch(deps.epoch);
  const room: Room<Value> = {
    entries: createEntries(deps),
    load: deps.load,
    parse,
    parseEntry: parseOnce((held) => ({ value: parse(bodyOf(held)), held })),
    wait: deps.wait ?? ((ms) => pause(ms)),
    async keysOf(ids) {
      const epoch = await epochOf();
      return ids.map((id) => `${KEY_PREFIX}:${deps.name}:${epoch}:${id}`);
    },
  };
  const { entries } = room;
  return {
    async read(ids) {
      const found = new Map<string, Found<Value>>();
      // A cache that cannot be asked is an empty one, and nobody fills it.
      const claims = isReady(deps.redis) ? await lookUp(room, ids, found).catch(() => null) : null;
      if (claims?.length) await loadAndFill(room, claims, found);
      if (claims) await waitForOthers(room, ids, found).catch(() => undefined);
      const rest = found.size < ids.length ? ids.filter((id) => !found.has(id)) : [];
      if (rest.length > 0)
        for (const [id, { body }] of await room.load(rest)) found.set(id, { value: parse(body) });
      return found;
    },

    async refresh(ids) {
      if (ids.length === 0) return;
      assertReady(deps.redis);
      const claims = await entries.supersede(await room.keysOf(ids));
      await loadAndFill(
        room,
        claims.map((claim, index) => ({ ...claim, id: ids[index]! })),
        new Map(),
      );
    },

    async forget(ids) {
      assertReady(deps.redis);
      await entries.drop(await room.keysOf(ids));
    },

    async revalidate(id, held, meanwhile) {
      const [key] = await room.keysOf([id]);
      const claim = { key: key!, held, notOlder: 0 };
      if (!(await entries.fill([{ claim, ...meanwhile }]))[0]) return;
      const mine = { ...claim, held: `${meanwhile.version}:${meanwhile.body}`, id };
      await loadAndFill(room, [mine], new Map());
    },
  };
}

function assertReady(redis: Redis): void {
  if (!isReady(redis)) throw new Error('Redis is away: what is cached cannot be refreshed');
}

interface Room<Value> extends Pick<ReadThroughDeps<Value>, 'load'> {
  readonly entries: Entries;
  readonly keysOf: (ids: readonly string[]) => Promise<string[]>;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly parse: (body: string) => Value | null;
  readonly parseEntry: (id: string, held: string) => Found<Value>;
}
type OwnClaim = Claim & { readonly id: string };

/** Notes what is cached, and lays claim to what nobody fills. */
async function lookUp<Value>(
  room: Room<Value>,
  ids: readonly string[],
  found: Map<string, Found<Value>>,
): Promise<readonly OwnClaim[]> {
  const free = await readCached(room, ids, found);
  if (free.length === 0) return [];
  const claims = await room.entries.claim(await room.keysOf(free));
  return free.flatMap((id, index) => {
    const claim = claims[index];
    return claim ? [{ ...claim, id }] : [];
  });
}

/** Notes what is cached; returns what is neither cached nor being filled. */
async function readCached<Value>(
  { entries, keysOf, parseEntry }: Room<Value>,
  ids: readonly string[],
  found: Map<string, Found<Value>>,
): Promise<readonly string[]> {
  const read = await entries.read(await keysOf(ids));
  const free: string[] = [];
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index]!;
    const held = read[index]!;
    if (held === null) free.push(id);
    else if (!isClaimed(held)) found.set(id, parseEntry(id, held));
  }
  return free;
}

/** Those who fill may be slow, or dead: nobody waits for long. */
async function waitForOthers<Value>(
  room: Room<Value>,
  ids: readonly string[],
  found: Map<string, Found<Value>>,
): Promise<void> {
  for (const ms of WAITS_MS) {
    if (found.size === ids.length) return;
    const others = ids.filter((id) => !found.has(id));
    await room.wait(ms);
    await readCached(room, others, found);
  }
}

/** What Postgres says of the claimed ids, put where readers find it; that the cache failed meanwhile is no failure. */
async function loadAndFill<Value>(
  { entries, load, parse }: Room<Value>,
  claims: readonly OwnClaim[],
  found: Map<string, Found<Value>>,
): Promise<void> {
  const loaded = await load(claims.map(({ id }) => id));
  const fills = claims.flatMap((claim): Fill[] => {
    const now = loaded.get(claim.id);
    return now ? [{ claim, ...now }] : [];
  });
  for (const { id } of claims) found.set(id, { value: parse(loaded.get(id)?.body ?? '') });
  await entries.fill(fills).catch(() => undefined);
}
