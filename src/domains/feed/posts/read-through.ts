import { setTimeout as pause } from 'node:timers/promises';
import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import { keyOfAnyEpoch } from '../../../platform/missed-writes.js';
import { type ParseOnce, parseOnce } from '../../../platform/parse-once.js';
import { KEY_PREFIX, type Redis } from '../../../platform/redis.js';
import { noteDiscarded } from '../../../platform/redis-value.js';
import { bodyOf, type Claim, createEntries, type Entries, type Fill, isClaimed, isEntry } from './entries.js';

/** How long a reader waits, again and again, for another that fills the entry. */
const WAITS_MS = [10, 20, 40];

/** What Postgres has of one id. */
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
   * After a commit that changed them: replaces what was cached by what Postgres has now. Once it resolves, the former
   * entries are not read any more; see `CacheLease.invalidate`.
   */
  refresh(ids: readonly string[]): Promise<void>;
  /** As `refresh`, but nothing is cached before the next read. */
  forget(ids: readonly string[]): Promise<void>;
  /**
   * Reads an entry from Postgres again; until then it has `meanwhile`. Nothing happens where it has another value than
   * `seen`, which was read, or where this process has another.
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
  /** The value of a body; undefined where this version did not write it. */
  readonly parse: (body: string) => Value | undefined;
  /** In milliseconds; absent: by the machine's own clock. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

export function createReadThrough<Value extends object>(deps: ReadThroughDeps<Value>): ReadThrough<Value> {
  const parse = (body: string): Value | null | undefined => (body === '' ? null : deps.parse(body));
  const { lease, name } = deps;
  let last = { epoch: '', prefix: '' };
  const parts: Parts<Value> = {
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
  const { entries } = parts;
  const keysAnywhere = (ids: readonly string[]): string[] =>
    ids.map((id) => keyOfAnyEpoch(`${KEY_PREFIX}:${name}:`, `:${id}`));
  return {
    async read(ids) {
      // Without a lease the cache is empty, and is not filled.
      const cached = (await lease.read((epoch) => readCached(parts, epoch, ids))) ?? null;
      return cached?.every(isValue) ? cached : readRest(parts, ids, cached);
    },

    async refresh(ids) {
      if (ids.length === 0) return;
      let claims: readonly Claim[] = [];
      await lease.invalidate(keysAnywhere(ids), async (epoch) => {
        claims = await entries.supersede(keysOf(parts, epoch, ids));
      });
      const own = claims.map((claim, index) => ({ ...claim, id: ids[index]! }));
      // Where this fails, readers load the claimed entries from Postgres.
      if (own.length > 0) await loadAndFill(parts, own, new Map()).catch(() => undefined);
    },

    async forget(ids) {
      if (ids.length === 0) return;
      await lease.invalidate(keysAnywhere(ids), (epoch) => entries.drop(keysOf(parts, epoch, ids)));
    },

    async revalidate(id, seen, meanwhile) {
      const mine = await lease.read(async (epoch): Promise<OwnClaim | undefined> => {
        const { key, last } = parts.parsed.of(parts.prefixOf(epoch), id);
        if (last?.value !== seen) return undefined;
        const claim = { key, held: last.bytes.toString(), notOlder: 0 };
        if (!(await entries.fill([{ claim, ...meanwhile }]))[0]) return undefined;
        return { ...claim, held: `${meanwhile.version}:${meanwhile.body}`, id };
      });
      if (mine) await loadAndFill(parts, [mine], new Map());
    },
  };
}

const prefixOf = (name: string, epoch: string): string => `${KEY_PREFIX}:${name}:${epoch}:`;

interface Parts<Value extends object> extends Pick<ReadThroughDeps<Value>, 'load' | 'lease' | 'name'> {
  readonly entries: Entries;
  readonly prefixOf: (epoch: string) => string;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly parse: (body: string) => Value | null;
  readonly parsed: ParseOnce<Value | null | undefined>;
}

function keysOf<Value extends object>(parts: Parts<Value>, epoch: string, ids: readonly string[]): string[] {
  const prefix = parts.prefixOf(epoch);
  return ids.map((id) => prefix + id);
}

type OwnClaim = Claim & { readonly id: string };

/** An entry's value, or that there is none, or that another reader fills it. */
type Cached<Value extends object> = Value | null | 'none' | 'filling';

async function readCached<Value extends object>(
  { entries, name, prefixOf, parsed }: Parts<Value>,
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

const isValue = <Value extends object>(one: Cached<Value>): one is Value | null => typeof one === 'object';

/** Fills entries that no other reader fills, waits for those that others fill, and reads the rest from Postgres. */
async function readRest<Value extends object>(
  parts: Parts<Value>,
  ids: readonly string[],
  cached: readonly Cached<Value>[] | null,
): Promise<readonly (Value | null)[]> {
  const found: Values<Value> = new Map();
  if (cached) {
    note(ids, cached, found);
    const free = ids.filter((_, index) => cached[index] === 'none');
    const claims = await parts.lease.read((epoch) => claimFree(parts, epoch, free));
    if (claims?.length) await loadAndFill(parts, claims, found);
    if (claims) await waitForOthers(parts, ids, found);
  }
  const rest = ids.filter((id) => !found.has(id));
  if (rest.length > 0) {
    const loaded = await parts.load(rest);
    for (const id of rest) found.set(id, parts.parse(loaded.get(id)?.body ?? ''));
  }
  return ids.map((id) => found.get(id)!);
}

/** By id. */
type Values<Value extends object> = Map<string, Value | null>;

function note<Value extends object>(
  ids: readonly string[],
  cached: readonly Cached<Value>[],
  found: Values<Value>,
): void {
  for (const [index, one] of cached.entries()) if (isValue(one)) found.set(ids[index]!, one);
}

/** A claim for each entry that no other reader claimed meanwhile. */
async function claimFree<Value extends object>(
  parts: Parts<Value>,
  epoch: string,
  ids: readonly string[],
): Promise<readonly OwnClaim[]> {
  const claims = await parts.entries.claim(keysOf(parts, epoch, ids));
  return ids.flatMap((id, index) => {
    const claim = claims[index];
    return claim ? [{ ...claim, id }] : [];
  });
}

/** Readers that fill may be slow, or dead: the wait is short. */
async function waitForOthers<Value extends object>(
  parts: Parts<Value>,
  ids: readonly string[],
  found: Values<Value>,
): Promise<void> {
  for (const ms of WAITS_MS) {
    const others = ids.filter((id) => !found.has(id));
    if (others.length === 0) return;
    await parts.wait(ms);
    const cached = await parts.lease.read((epoch) => readCached(parts, epoch, others));
    if (!cached) return;
    note(others, cached, found);
  }
}

/** Loads the claimed ids from Postgres and fills their entries; it does not fail where the cache does. */
async function loadAndFill<Value extends object>(
  { lease, entries, load, parse }: Parts<Value>,
  claims: readonly OwnClaim[],
  found: Values<Value>,
): Promise<void> {
  const loaded = await load(claims.map(({ id }) => id));
  const fills = claims.flatMap((claim): Fill[] => {
    const now = loaded.get(claim.id);
    return now ? [{ claim, ...now }] : [];
  });
  for (const { id } of claims) found.set(id, parse(loaded.get(id)?.body ?? ''));
  await lease.read(() => entries.fill(fills));
}
