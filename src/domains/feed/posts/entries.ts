import { readEachAsBytes, removeEach } from '../../../platform/redis/many-keys.js';
import { loadScript, runScriptEach } from '../../../platform/redis/redis.js';
import type { RedisDeps } from '../cache/deps.js';

const scripts = {
  compareAndSet: loadScript(new URL('./compare-and-set.lua', import.meta.url)),
  supersede: loadScript(new URL('./supersede.lua', import.meta.url)),
};

/** A claim ends after this, if its holder has written nothing. */
const CLAIM_MS = 3_000;

const CLAIMED = '~'.charCodeAt(0);

/** Whether another reader is filling the entry. */
export const isClaimed = (held: Buffer): boolean =>
  held[0] === CLAIMED && /^~\d+:.+$/.test(held.toString('latin1'));

/** Whether a text is an entry at all. */
export const isEntry = (held: string): boolean => /^\d+:/.test(held);

/** An entry's content; empty where the thing is known not to exist. */
export const bodyOf = (held: string): string => held.slice(held.indexOf(':') + 1);

/** The right to fill an entry: valid until another process takes it, `CLAIM_MS` pass, or Redis is lost. */
export interface Claim {
  readonly key: string;
  readonly held: string;
  /** Nothing older than this may be written. */
  readonly notOlder: number;
}

/** What Postgres has of one thing. */
export interface Loaded {
  /** Grows with every change. */
  readonly version: number;
  /** Empty where it is not there. */
  readonly body: string;
  readonly lifeMs: number;
}

export interface Fill extends Loaded {
  readonly claim: Claim;
}

/**
 * Cache entries that are filled from Postgres without ever keeping what is out of date.
 *
 * A reader that fills an entry claims it first and reads Postgres only then; its write counts only while it has the claim.
 * A writer supersedes the entry after its commit: a fill that read before finds its claim gone. So does one whose Redis was
 * emptied meanwhile. Each method is one round trip, however many keys it gets.
 */
export function createEntries({ redis, ids }: Pick<RedisDeps, 'redis' | 'ids'>) {
  return {
    /** The value of each key; null for none. */
    async read(keys: readonly string[]): Promise<(Buffer | null)[]> {
      return keys.length === 0 ? [] : readEachAsBytes(redis, keys);
    },

    /** For keys without a value: one claim a key among all processes; null where another process has it. */
    async claim(keys: readonly string[]): Promise<(Claim | null)[]> {
      if (keys.length === 0) return [];
      const claims = keys.map((key) => ({ key, held: `~0:${ids.next()}`, notOlder: 0 }));
      const asked = claims.map(({ key, held }) =>
        redis.set(key, held, 'PX', CLAIM_MS, 'NX').catch(() => null),
      );
      const answers = await Promise.all(asked);
      const lost = claims.filter((_, index) => answers[index] !== 'OK');
      // A key of another type reads as nothing and cannot be claimed: asking for its length has it removed.
      for (const { key } of lost) void redis.strlen(key).catch(() => undefined);
      return claims.map((claim, index) => (answers[index] === 'OK' ? claim : null));
    },

    /** Removes the entries and every claim; the caller gets a claim for each. */
    async supersede(keys: readonly string[]): Promise<Claim[]> {
      const tokens = keys.map(() => ids.next());
      const calls = keys.map((key, index) => ({ keys: [key], args: [tokens[index]!, CLAIM_MS] }));
      const versions = (await runScriptEach(redis, scripts.supersede, calls)) as string[];
      return keys.map((key, index) => ({
        key,
        held: `~${versions[index]}:${tokens[index]}`,
        notOlder: Number(versions[index]),
      }));
    },

    /** Removes the entries and every claim; the next reader may claim them. */
    async drop(keys: readonly string[]): Promise<void> {
      if (keys.length > 0) await removeEach(redis, keys);
    },

    /** Writes those whose claim is still valid and whose version is not older than the former one; answers which. */
    async fill(fills: readonly Fill[]): Promise<boolean[]> {
      // An older version was read from a Postgres that lags behind.
      const isNew = ({ claim, version }: Fill): boolean => version >= claim.notOlder;
      const calls = fills.filter(isNew).map(({ claim, version, body, lifeMs }) => ({
        keys: [claim.key],
        args: [claim.held, `${version}:${body}`, lifeMs],
      }));
      const written = await runScriptEach(redis, scripts.compareAndSet, calls);
      return fills.map((fill) => isNew(fill) && written.shift() === 1);
    },
  };
}
