import { randomBytes, randomUUID } from 'node:crypto';
import type { Redis } from '../../src/platform/redis/redis.js';

/** Kinds of things that may stand at a key where nothing of the kind should; none goes away by itself. */
export const garbage: Readonly<Record<string, (redis: Redis, key: string) => Promise<unknown>>> = {
  text: (redis, key) => redis.set(key, 'garbage'),
  'a small number': (redis, key) => redis.set(key, '7'),
  'a number': (redis, key) => redis.set(key, '100'),
  'a number that no double holds': (redis, key) => redis.set(key, '99999999999999999999'),
  'numbers like times far ahead': (redis, key) => redis.set(key, '100 9999999999999999'),
  'three numbers': (redis, key) => redis.set(key, '99999999999 100 100'),
  'nothing in a string': (redis, key) => redis.set(key, ''),
  bytes: (redis, key) => redis.set(key, randomBytes(64)),
  'JSON of another shape': (redis, key) => redis.set(key, '{"version":7,"items":[{"a":1}]}'),
  'JSON null': (redis, key) => redis.set(key, 'null'),
  list: (redis, key) => redis.rpush(key, 'garbage'),
  hash: (redis, key) => redis.hset(key, 'garbage', '{"a":1}'),
  'sorted set': (redis, key) => redis.zadd(key, 5, 'garbage'),
  set: (redis, key) => redis.sadd(key, 'garbage'),
  stream: (redis, key) => redis.xadd(key, '*', 'garbage', 'x'),
};

/** What `write` makes stands at `key` in one step, whatever others write there meanwhile. */
export async function replaceKey(
  redis: Redis,
  key: string,
  write: (scratchKey: string) => Promise<unknown>,
): Promise<void> {
  const scratchKey = `scratch-${randomUUID()}`;
  await write(scratchKey);
  await redis.rename(scratchKey, key);
}
