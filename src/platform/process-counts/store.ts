import { withinMs } from '../deadline.js';
import { answersOf, isReady, KEY_PREFIX, type Redis } from '../redis/redis.js';
import { parseRedisValue } from '../redis/redis-value.js';
import { type Contribution, contribution } from './merge.js';

/** A hash: of each process, by its id, its newest contribution. */
export const COUNTS_KEY = `${KEY_PREFIX}:process-counts`;
/** It goes away when nobody asks any more. */
const KEPT_MS = 5_000;
/** A sample waits no longer for Redis. */
const ANSWER_MS = 500;

/** @throws where Redis does not take it at once */
export async function writeContribution(redis: Redis, id: string, own: Contribution): Promise<void> {
  const pipeline = redis.pipeline().hset(COUNTS_KEY, id, JSON.stringify(own)).pexpire(COUNTS_KEY, KEPT_MS);
  await asked(redis, () => answersOf(pipeline));
}

/** The newest contribution of each process, by its id. @throws where Redis does not answer at once */
export async function readContributions(redis: Redis): Promise<ReadonlyMap<string, Contribution>> {
  const texts = await asked(redis, () => redis.hgetall(COUNTS_KEY));
  const read = new Map<string, Contribution>();
  for (const [id, text] of Object.entries(texts)) {
    const parsed = parseRedisValue('process_counts', contribution, text);
    if (parsed) read.set(id, parsed);
    else await removeContributions(redis, [id]);
  }
  return read;
}

/** @throws where Redis does not answer at once */
export async function removeContributions(redis: Redis, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await asked(redis, () => redis.hdel(COUNTS_KEY, ...ids));
}

/** What a connection that is not ready is given waits for it: seconds later nobody wants it any more. */
async function asked<T>(redis: Redis, ask: () => Promise<T>): Promise<T> {
  if (!isReady(redis)) throw new Error('Redis cannot be reached');
  return withinMs(ANSWER_MS, ask());
}
