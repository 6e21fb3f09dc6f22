import { setTimeout as pause } from 'node:timers/promises';
import type { Ids } from '../../../platform/ids.js';
import { type ParseOnce, parseOnce } from '../../../platform/parse-once.js';
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

/**
 * A cache in Redis in front of Postgres: one refill at a time for each id, and without Redis Postgres alone. Round trips
 * do not depend on how many ids are asked for.
 */
export interface ReadThrough<Value extends object> {
  /**
   * Each of `ids`, which are all different, in their order; null for what is not there. The same object as before while
   * an entry stays the same.
   */
  read(ids: readonly string[]): Promise<readonly (Value | null)[]>;
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
  /**
   * Reads an entry anew, which says `meanwhile` until then. Nothing happens where it says something else than `seen` by
   * now, which was read, or where this process remembers another.
   */
  revalidate(id: string, seen: Value, meanwhile: Loaded): Promise<void>;
}

export interface ReadThroughDeps<Value extends object> {
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

export function createReadThrough<Value extends object>(deps: ReadThroughDeps<Value>): ReadThrough<Value> {
  const parse = (body: string): Value | null => (body === '' ? null : deps.parse(body));
  const epochOf = shortEpoch(deps.epoch);
  let last = { epoch: '', prefix: '' };
  const room: Room<Value> = {
    entries: createEntries(deps),
    load: deps.load,
    parse,
    parsed: parseOnce((held) => parse(bodyOf(held))),
    wait: deps.wait ?? ((ms) => pause(ms)),
    async prefixOf() {
      const epoch = await epochOf();
      if (epoch !== last.epoch) last = { epoch, prefix: `${KEY_PREFIX}:${deps.name}:${epoch}:` };
      return last.prefix;
    },
  };
  const { entries } = room;
  return {
    async read(ids) {
      // A cache that cannot be asked is an empty one, and nobody fills it.
      const cached = isReady(deps.redis) ? await readCached(room, ids).catch(() => null) : null;
      return cached?.every(isSaid) ? cached : readRest(room, ids, cached);
    },

    async refresh(ids) {
      if (ids.length === 0) return;
      assertReady(deps.redis);
      const claims = await entries.supersede(await keysOf(room, ids));
      await loadAndFill(
        room,
        claims.map((claim, index) => ({ ...claim, id: ids[index]! })),
        new Map(),
      );
    },

    async forget(ids) {
      assertReady(deps.redis);
      await entries.drop(await keysOf(room, ids));
    },

    async revalidate(id, seen, meanwhile) {
      const { key, last } = room.parsed.of(await room.prefixOf(), id);
      if (last?.value !== seen) return;
      const claim = { key, held: last.bytes.toString(), notOlder: 0 };
      if (!(await entries.fill([{ claim, ...meanwhile }]))[0]) return;
      const mine = { ...claim, held: `${meanwhile.version}:${meanwhile.body}`, id };
      await loadAndFill(room, [mine], new Map());
    },
  };
}

function assertReady(redis: Redis): void {
  if (!isReady(redis)) throw new Error('Redis is away: what is cached cannot be refreshed');
}

interface Room<Value extends object> extends Pick<ReadThroughDeps<Value>, 'load'> {
  readonly entries: Entries;
  readonly prefixOf: () => Promise<string>;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly parse: (body: string) => Value | null;
  readonly parsed: ParseOnce<Value | null>;
}

async function keysOf<Value extends object>(room: Room<Value>, ids: readonly string[]): Promise<string[]> {
  const prefix = await room.prefixOf();
  return ids.map((id) => prefix + id);
}

type OwnClaim = Claim & { readonly id: string };

/** What an entry says, or that there is none, or that somebody fills it. */
type Cached<Value extends object> = Value | null | 'none' | 'filling';

async function readCached<Value extends object>(
  { entries, prefixOf, parsed }: Room<Value>,
  ids: readonly string[],
): Promise<Cached<Value>[]> {
  const prefix = await prefixOf();
  const known = ids.map((id) => parsed.of(prefix, id));
  const read = await entries.read(known.map(({ key }) => key));
  // A command is sent again where its connection breaks: an older copy may have answered.
  if ((await prefixOf()) !== prefix) throw new Error('Redis was replaced while it was asked');
  return read.map((held, index) => {
    if (held === null) return 'none';
    return isClaimed(held) ? 'filling' : parsed.parse(known[index]!, held);
  });
}

const isSaid = <Value extends object>(one: Cached<Value>): one is Value | null => typeof one === 'object';

/** Fills what nobody fills, waits for what others do, and reads the rest of Postgres. */
async function readRest<Value extends object>(
  room: Room<Value>,
  ids: readonly string[],
  cached: readonly Cached<Value>[] | null,
): Promise<readonly (Value | null)[]> {
  const found: Said<Value> = new Map();
  if (cached) {
    note(ids, cached, found);
    const free = ids.filter((_, index) => cached[index] === 'none');
    const claims = await layClaim(room, free).catch(() => null);
    if (claims?.length) await loadAndFill(room, claims, found);
    if (claims) await waitForOthers(room, ids, found).catch(() => undefined);
  }
  const rest = ids.filter((id) => !found.has(id));
  if (rest.length > 0) {
    const loaded = await room.load(rest);
    for (const id of rest) found.set(id, room.parse(loaded.get(id)?.body ?? ''));
  }
  return ids.map((id) => found.get(id)!);
}

/** By id. */
type Said<Value extends object> = Map<string, Value | null>;

function note<Value extends object>(
  ids: readonly string[],
  cached: readonly Cached<Value>[],
  found: Said<Value>,
): void {
  for (const [index, one] of cached.entries()) if (isSaid(one)) found.set(ids[index]!, one);
}

/** A claim for each that nobody else got meanwhile. */
async function layClaim<Value extends object>(
  room: Room<Value>,
  ids: readonly string[],
): Promise<readonly OwnClaim[]> {
  const claims = await room.entries.claim(await keysOf(room, ids));
  return ids.flatMap((id, index) => {
    const claim = claims[index];
    return claim ? [{ ...claim, id }] : [];
  });
}

/** Those who fill may be slow, or dead: nobody waits for long. */
async function waitForOthers<Value extends object>(
  room: Room<Value>,
  ids: readonly string[],
  found: Said<Value>,
): Promise<void> {
  for (const ms of WAITS_MS) {
    const others = ids.filter((id) => !found.has(id));
    if (others.length === 0) return;
    await room.wait(ms);
    note(others, await readCached(room, others), found);
  }
}

/** What Postgres says of the claimed ids, put where readers find it; that the cache failed meanwhile is no failure. */
async function loadAndFill<Value extends object>(
  { entries, load, parse }: Room<Value>,
  claims: readonly OwnClaim[],
  found: Said<Value>,
): Promise<void> {
  const loaded = await load(claims.map(({ id }) => id));
  const fills = claims.flatMap((claim): Fill[] => {
    const now = loaded.get(claim.id);
    return now ? [{ claim, ...now }] : [];
  });
  for (const { id } of claims) found.set(id, parse(loaded.get(id)?.body ?? ''));
  await entries.fill(fills).catch(() => undefined);
}
