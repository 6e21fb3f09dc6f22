import { isOddValue } from '../odd-values.js';
import { isCluster, type Redis } from './redis.js';

/** The text of each key, null for none and for what is no text. On a Cluster they may be in any slots. */
export const readEach = (redis: Redis, keys: readonly string[]): Promise<(string | null)[]> =>
  isCluster(redis) ? Promise.all(keys.map((key) => redis.get(key).catch(nothingIfOdd))) : redis.mget(...keys);

/** The same as bytes. */
export const readEachAsBytes = (redis: Redis, keys: readonly string[]): Promise<(Buffer | null)[]> =>
  isCluster(redis)
    ? Promise.all(keys.map((key) => redis.getBuffer(key).catch(nothingIfOdd)))
    : redis.mgetBuffer(...keys);

/** Removes keys, if there are any, which on a Cluster may be in any slots. */
export const removeEach = (redis: Redis, keys: readonly string[]): Promise<unknown> =>
  isCluster(redis) || keys.length === 0
    ? Promise.all(keys.map((key) => redis.unlink(key)))
    : redis.unlink(...keys);

/** As MGET has it. */
function nothingIfOdd(error: unknown): null {
  if (isOddValue(error)) return null;
  throw error;
}
