import { LRUCache } from 'lru-cache';
import { upTo } from '../cache/loading-cache.js';
import type { Clock } from '../clock.js';
import { PublicError } from '../errors.js';
import { forEverybody } from '../wake-ups/reader.js';
import { matchesHash, parseApiKey } from './api-key.js';
import type { Role, Viewer } from './auth.js';

/** A key that holds, as it is stored. */
export interface StoredApiKey {
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
  readonly userId: string;
  readonly roles: ReadonlySet<Role>;
  readonly plan: string;
}

/**
 * Looks a key up by its id; null where there is none, or where it was revoked.
 *
 * @throws PublicError SERVICE_UNAVAILABLE where that cannot be found out for now
 */
export type FindApiKey = (apiKeyId: string) => Promise<StoredApiKey | null>;

/** Takes note that somebody who has a key's secret uses it. Must neither wait nor throw. */
export type NoteApiKeyUse = (apiKeyId: string) => void;

/** What a lookup found, and when it began: a revocation after that instant is not in it. */
interface Lookup {
  readonly at: number;
  readonly found: { readonly hash: string; readonly viewer: Viewer } | null;
  /** Whether the first use after it was noted. */
  isNoted: boolean;
}

/** A key that was found is trusted this long, so a revoked one is refused within a minute. */
const FOUND_FOR_MS = 60_000;
/** An id that nobody has is not looked for again this long, however often it is tried. */
const MISSING_FOR_MS = 10_000;
const REMEMBERED = 10_000;
/** Lookups under way at once; a flood of invented ids waits in no longer a line. */
const MOST_LOOKUPS = 1_000;
/** No secret has it. Compared with where there is nothing to compare with, so that both refusals take the same work. */
const NO_HASH = '0'.repeat(64);

/**
 * Makes the check of keys. What lookups said is remembered by id: found keys for 60 s, missing ones for 10 s, 10,000
 * of each, apart from each other so that guesses never displace keys that hold. One id is looked up once at a time.
 *
 * @param noteUse is called for the first use after each lookup
 */
export function createApiKeyCheck(findApiKey: FindApiKey, clock: Clock, noteUse?: NoteApiKeyUse) {
  const found = new LRUCache<string, Lookup>(upTo(REMEMBERED));
  const missing = new LRUCache<string, Lookup>(upTo(REMEMBERED));
  const underWay = new Map<string, Promise<Lookup>>();

  return {
    /**
     * Who a key's text speaks for.
     *
     * @throws PublicError UNAUTHENTICATED, always the same, for a text that is no key, an unknown id, a wrong secret and
     *   a revoked key; SERVICE_UNAVAILABLE where the key is not remembered and cannot be looked up for now
     */
    async check(text: string): Promise<Viewer> {
      const key = parseApiKey(text);
      if (!key) throw notValid();
      const lookup = recall(key.apiKeyId) ?? (await lookUpOnce(key.apiKeyId));
      const matches = matchesHash(key.secret, lookup.found?.hash ?? NO_HASH);
      if (!lookup.found || !matches) throw notValid();
      if (!lookup.isNoted) {
        lookup.isNoted = true;
        noteUse?.(key.apiKeyId);
      }
      return lookup.found.viewer;
    },
    /** Whether `check` would answer without looking anything up. */
    remembers(text: string): boolean {
      const key = parseApiKey(text);
      return !key || recall(key.apiKeyId) !== undefined;
    },
  };

  function recall(apiKeyId: string): Lookup | undefined {
    const known = found.get(apiKeyId);
    if (known && isFresh(known, FOUND_FOR_MS)) return known;
    const unknown = missing.get(apiKeyId);
    return unknown && isFresh(unknown, MISSING_FOR_MS) ? unknown : undefined;
  }

  /** A clock that was set back makes nothing last longer. */
  function isFresh(lookup: Lookup, forMs: number): boolean {
    const age = clock.now() - lookup.at;
    return age >= 0 && age < forMs;
  }

  function lookUpOnce(apiKeyId: string): Promise<Lookup> {
    const begun = underWay.get(apiKeyId);
    if (begun) return begun;
    if (underWay.size >= MOST_LOOKUPS) return Promise.reject(notForNow());
    const lookup = forEverybody(() => lookUp(apiKeyId)).finally(() => underWay.delete(apiKeyId));
    underWay.set(apiKeyId, lookup);
    return lookup;
  }

  async function lookUp(apiKeyId: string): Promise<Lookup> {
    const at = clock.now();
    const stored = await findApiKey(apiKeyId);
    const lookup: Lookup = { at, found: stored && heldBy(apiKeyId, stored), isNoted: false };
    found.delete(apiKeyId);
    (stored ? found : missing).set(apiKeyId, lookup);
    return lookup;
  }
}

const heldBy = (apiKeyId: string, { hash, userId, roles, plan }: StoredApiKey) => ({
  hash,
  viewer: { userId, roles, plan, apiKeyId },
});

/** That a key can be neither accepted nor refused at the moment. */
export const notForNow = (): PublicError =>
  new PublicError('SERVICE_UNAVAILABLE', 'The API key cannot be checked for now');

const notValid = (): PublicError => new PublicError('UNAUTHENTICATED', 'The API key is not valid');
