import { setTimeout as pause } from 'node:timers/promises';
import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import { keyOfAnyEpoch } from '../../../platform/missed-writes.js';
import { type ParseOnce, parseOnce } from '../../../platform/parse-once.js';
import { KEY_PREFIX, type Redis } from '../../../platform/redis.js';
import { noteDiscarded } from '../../../platform/redis-value.js';
import { bodyOf, type Claim, createEntries, type Entries, type Fill, isClaimed, isEntry } from './entries.js';

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
 * A cache in Redis in front of Postgres: one refill at a time for each id, and without a lease on Redis Postgres alone.
 * Round trips do not depend on how many ids are asked for.
 */
export interface ReadThrough<Value extends object> {
  /**
   * Each of `ids`, which are all different, in their order; null for what is not there. The same object as before while
   * an entry stays the same.
   */
  read(ids: readonly string[]): Promise<readonly (Value | null)[]>;
  /**
   * After a commit that changed them: what was cached goes, and what Postgres says now comes in its place. Nobody reads
   * what was cached once it resolves; see `CacheLease.invalidate`.
   */
  refresh(ids: readonly string[]): Promise<void>;
  /** As `refresh`, but that nothing comes in its place before somebody asks. */
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
  /** Its epoch is a part of each key: a Redis that was restarted or replaced may have lost that something changed. */
  readonly lease: CacheLease;
  /** What is cached: a part of each key. */
  readonly name: string;
  /** All of them, in one statement. */
  readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Loaded>>;
  /** What a body stands for; undefined for what this version did not write. */
  readonly parse: (body: string) => Value | undefined;
  /** Milliseconds; the machine's own clock unless told. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

export function createReadThrough<Value extends object>(deps: ReadThroughDeps<Value>): ReadThrough<Value> {
  const parse = (body: string): Value | null | undefined => (body === '' ? null : deps.parse(body));
  const { lease, name } = deps;
  let last = { epoch: '', prefix: '' };
  const room: Room<Value> = {
    lease,
    entries: createEntries(deps),
    load: deps.load,
    name,
    parse(body) {
      const value = parse(body);
      if (value === undefined) throw new Error(`a ${name} was loaded in a shape that its cache refuses`);
      return value;
    },
    parsed: parseOnce((held) => (isEntry(held) ? parse(bodyOf(held)) : undefined)),
    wait: deps.wait ?? ((ms) => pause(ms)),
    prefixOf(epoch) {
      if (epoch !== last.epoch) last = { epoch, prefix: prefixOf(name, epoch) };
      return last.prefix;
    },
  };
  const { entries } = room;
  const keysAnywhere = (ids: readonly string[]): string[] =>
    ids.map((id) => keyOfAnyEpoch(`${KEY_PREFIX}:${name}:`, `:${id}`));
  return {
    async read(ids) {
      // A cache that may not be asked is an empty one, and nobody fills it.
      const cached = (await lease.read((epoch) => readCached(room, epoch, ids))) ?? null;
      return cached?.every(isSaid) ? cached : readRest(room, ids, cached);
    },

    async refresh(ids) {
      if (ids.length === 0) return;
      let claims: readonly Claim[] = [];
      await lease.invalidate(keysAnywhere(ids), async (epoch) => {
        claims = await entries.supersede(keysOf(room, epoch, ids));
      });
      const own = claims.map((claim, index) => ({ ...claim, id: ids[index]! }));
      // What is claimed is read from Postgres by whoever needs it.
      if (own.length > 0) await loadAndFill(room, own, new Map()).catch(() => undefined);
    },

    async forget(ids) {
      if (ids.length === 0) return;
      await lease.invalidate(keysAnywhere(ids), (epoch) => entries.drop(keysOf(room, epoch, ids)));
    },

    async revalidate(id, seen, meanwhile) {
      const mine = await lease.read(async (epoch): Promise<OwnClaim | undefined> => {
        const { key, last } = room.parsed.of(room.prefixOf(epoch), id);
        if (last?.value !== seen) return undefined;
        const claim = { key, held: last.bytes.toString(), notOlder: 0 };
        if (!(await entries.fill([{ claim, ...meanwhile }]))[0]) return undefined;
        return { ...claim, held: `${meanwhile.version}:${meanwhile.body}`, id };
      });
      if (mine) await loadAndFill(room, [mine], new Map());
    },
  };
}

const prefixOf = (name: string, epoch: string): string => `${KEY_PREFIX}:${name}:${epoch}:`;

interface Room<Value extends object> extends Pick<ReadThroughDeps<Value>, 'load' | 'lease' | 'name'> {
  readonly entries: Entries;
  readonly prefixOf: (epoch: string) => string;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly parse: (body: string) => Value | null;
  readonly parsed: ParseOnce<Value | null | undefined>;
}

function keysOf<Value extends object>(room: Room<Value>, epoch: string, ids: readonly string[]): string[] {
  const prefix = room.prefixOf(epoch);
  return ids.map((id) => prefix + id);
}

type OwnClaim = Claim & { readonly id: string };

/** What an entry says, or that there is none, or that somebody fills it. */
type Cached<Value extends object> = Value | null | 'none' | 'filling';

async function readCached<Value extends object>(
  { entries, name, prefixOf, parsed }: Room<Value>,
  epoch: string,
  ids: readonly string[],
): Promise<Cached<Value>[]> {
  const prefix = prefixOf(epoch);
  const known = ids.map((id) => parsed.of(prefix, id));
  const read = await entries.read(known.map(({ key }) => key));
  const odd: string[] = [];
  const cached = read.map((held, index): Cached<Value> => {
    if (held === null) return 'none';
    if (isClaimed(held)) return 'filling';
    const value = parsed.parse(known[index]!, held);
    if (value !== undefined) return value;
    noteDiscarded(name);
    odd.push(known[index]!.key);
    return 'none';
  });
  await entries.drop(odd);
  return cached;
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
    const claims = await room.lease.read((epoch) => layClaim(room, epoch, free));
    if (claims?.length) await loadAndFill(room, claims, found);
    if (claims) await waitForOthers(room, ids, found);
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
  epoch: string,
  ids: readonly string[],
): Promise<readonly OwnClaim[]> {
  const claims = await room.entries.claim(keysOf(room, epoch, ids));
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
    const cached = await room.lease.read((epoch) => readCached(room, epoch, others));
    if (!cached) return;
    note(others, cached, found);
  }
}

/** What Postgres says of the claimed ids, put where readers find it; that the cache failed meanwhile is no failure. */
async function loadAndFill<Value extends object>(
  { lease, entries, load, parse }: Room<Value>,
  claims: readonly OwnClaim[],
  found: Said<Value>,
): Promise<void> {
  const loaded = await load(claims.map(({ id }) => id));
  const fills = claims.flatMap((claim): Fill[] => {
    const now = loaded.get(claim.id);
    return now ? [{ claim, ...now }] : [];
  });
  for (const { id } of claims) found.set(id, parse(loaded.get(id)?.body ?? ''));
  await lease.read(() => entries.fill(fills));
}
