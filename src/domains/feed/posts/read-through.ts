import { setTimeout as pause } from 'node:timers/promises';
import { keyOfAnyEpoch } from '../../../platform/cache/missed-writes.js';
import { parseOnce } from '../../../platform/cache/parse-once.js';
import { KEY_PREFIX } from '../../../platform/redis/redis.js';
import { noteDiscarded } from '../../../platform/redis/redis-value.js';
import type { RedisDeps } from '../cache/deps.js';
import { bodyOf, type Claim, createEntries, type Fill, isClaimed, isEntry, type Loaded } from './entries.js';

/** How long a reader waits, again and again, for another that fills the entry. */
const WAITS_MS = [10, 20, 40];

type OwnClaim = Claim & { readonly id: string };

/**
 * A cache in Redis in front of Postgres: one refill at a time for each id, and without a lease on Redis Postgres alone.
 * Round trips do not depend on how many ids are asked for.
 *
 * @param deps.name what is cached: a part of each key, as is the epoch of the lease
 * @param deps.load all of them, in one statement
 * @param deps.parse the value of a body; undefined where this version did not write it
 * @param deps.wait in milliseconds; absent: by the machine's own clock
 */
export function createReadThrough<Value extends object>(
  deps: RedisDeps & {
    readonly name: string;
    readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Loaded>>;
    readonly parse: (body: string) => Value | undefined;
    readonly wait?: (ms: number) => Promise<unknown>;
  },
) {
  /** An entry's value, or that there is none, or that another reader fills it. */
  type Cached = Value | null | 'none' | 'filling';
  type Found = Map<string, Value | null>;

  const { lease, name, load, wait = (ms) => pause(ms) } = deps;
  const entries = createEntries(deps);
  const parse = (body: string): Value | null | undefined => (body === '' ? null : deps.parse(body));
  const parsed = parseOnce((held) => (isEntry(held) ? parse(bodyOf(held)) : undefined));
  const isValue = (one: Cached): one is Value | null => typeof one === 'object';

  let last = { epoch: '', prefix: '' };
  function prefixOf(epoch: string): string {
    if (epoch !== last.epoch) last = { epoch, prefix: `${KEY_PREFIX}:${name}:${epoch}:` };
    return last.prefix;
  }
  function keysOf(epoch: string, ids: readonly string[]): string[] {
    const prefix = prefixOf(epoch);
    return ids.map((id) => prefix + id);
  }
  const keysAnywhere = (ids: readonly string[]): string[] =>
    ids.map((id) => keyOfAnyEpoch(`${KEY_PREFIX}:${name}:`, `:${id}`));

  async function readCached(epoch: string, ids: readonly string[]): Promise<Cached[]> {
    const prefix = prefixOf(epoch);
    const known = ids.map((id) => parsed.of(prefix, id));
    const read = await entries.read(known.map(({ key }) => key));
    const odd: string[] = [];
    const cached = read.map((held, index): Cached => {
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

  /** Fills entries that no other reader fills, waits for those that others fill, and reads the rest from Postgres. */
  async function readRest(
    ids: readonly string[],
    cached: readonly Cached[] | undefined,
  ): Promise<readonly (Value | null)[]> {
    const found: Found = new Map();
    if (cached) {
      note(ids, cached, found);
      const free = ids.filter((_, index) => cached[index] === 'none');
      const claims = await lease.read((epoch) => claimFree(epoch, free));
      if (claims?.length) await loadAndFill(claims, found);
      if (claims) await waitForOthers(ids, found);
    }
    const rest = ids.filter((id) => !found.has(id));
    if (rest.length > 0) noteLoaded(rest, await load(rest), found);
    return ids.map((id) => found.get(id)!);
  }

  function note(ids: readonly string[], cached: readonly Cached[], found: Found): void {
    for (const [index, one] of cached.entries()) if (isValue(one)) found.set(ids[index]!, one);
  }

  function noteLoaded(ids: readonly string[], loaded: ReadonlyMap<string, Loaded>, found: Found): void {
    for (const id of ids) {
      const value = parse(loaded.get(id)?.body ?? '');
      if (value === undefined) throw new Error(`a ${name} was loaded in a shape that its cache refuses`);
      found.set(id, value);
    }
  }

  /** A claim for each entry that no other reader claimed meanwhile. */
  async function claimFree(epoch: string, ids: readonly string[]): Promise<readonly OwnClaim[]> {
    const claims = await entries.claim(keysOf(epoch, ids));
    return ids.flatMap((id, index) => {
      const claim = claims[index];
      return claim ? [{ ...claim, id }] : [];
    });
  }

  /** Readers that fill may be slow, or dead: the wait is short. */
  async function waitForOthers(ids: readonly string[], found: Found): Promise<void> {
    for (const ms of WAITS_MS) {
      const others = ids.filter((id) => !found.has(id));
      if (others.length === 0) return;
      await wait(ms);
      const cached = await lease.read((epoch) => readCached(epoch, others));
      if (!cached) return;
      note(others, cached, found);
    }
  }

  /** Loads the claimed ids from Postgres and fills their entries; it does not fail where the cache does. */
  async function loadAndFill(claims: readonly OwnClaim[], found: Found = new Map()): Promise<void> {
    const ids = claims.map(({ id }) => id);
    const loaded = await load(ids);
    const fills = claims.flatMap((claim): Fill[] => {
      const now = loaded.get(claim.id);
      return now ? [{ claim, ...now }] : [];
    });
    noteLoaded(ids, loaded, found);
    await lease.read(() => entries.fill(fills));
  }

  return {
    /**
     * Each of `ids`, which are all different, in their order; null for what is not there. The same object as before while
     * an entry stays the same.
     */
    async read(ids: readonly string[]): Promise<readonly (Value | null)[]> {
      // Without a lease the cache is empty, and is not filled.
      const cached = await lease.read((epoch) => readCached(epoch, ids));
      return cached?.every(isValue) ? cached : readRest(ids, cached);
    },

    /**
     * After a commit that changed them: replaces what was cached by what Postgres has now. Once it resolves, the former
     * entries are not read any more; see `CacheLease.invalidate`.
     */
    async refresh(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      let claims: readonly Claim[] = [];
      await lease.invalidate(keysAnywhere(ids), async (epoch) => {
        claims = await entries.supersede(keysOf(epoch, ids));
      });
      const own = claims.map((claim, index) => ({ ...claim, id: ids[index]! }));
      // Where this fails, readers load the claimed entries from Postgres.
      if (own.length > 0) await loadAndFill(own).catch(() => undefined);
    },

    /** As `refresh`, but nothing is cached before the next read. */
    async forget(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await lease.invalidate(keysAnywhere(ids), (epoch) => entries.drop(keysOf(epoch, ids)));
    },

    /**
     * Reads an entry from Postgres again; until then it has `meanwhile`. Nothing happens where it has another value than
     * `seen`, which was read, or where this process has another.
     */
    async revalidate(id: string, seen: Value, meanwhile: Loaded): Promise<void> {
      const mine = await lease.read(async (epoch): Promise<OwnClaim | undefined> => {
        const { key, last: known } = parsed.of(prefixOf(epoch), id);
        if (known?.value !== seen) return undefined;
        const claim = { key, held: known.bytes.toString(), notOlder: 0 };
        if (!(await entries.fill([{ claim, ...meanwhile }]))[0]) return undefined;
        return { ...claim, held: `${meanwhile.version}:${meanwhile.body}`, id };
      });
      if (mine) await loadAndFill([mine]);
    },
  };
}
