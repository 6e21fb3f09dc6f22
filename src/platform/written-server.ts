import { isReady, KEY_PREFIX, type Redis } from './redis.js';
import { epochOf } from './redis-epoch.js';

const KEY = `${KEY_PREFIX}:cache-lease`;
const KEY_LIFE_MS = 10_000;

/** The server is not the one that caches are answered from. */
export class WrongServer extends Error {}

export const isWrongServer = (error: unknown): boolean =>
  error instanceof WrongServer || (error instanceof Error && error.message.startsWith('READONLY'));

/**
 * Answers the epoch of a Redis that took a write.
 *
 * @throws where it did not; `isWrongServer` where it never will
 */
export async function writeTo(redis: Redis): Promise<string> {
  if (!isReady(redis)) throw new Error('there is no connection to Redis');
  const answers = await redis
    .pipeline()
    .set(KEY, String(Date.now()), 'PX', KEY_LIFE_MS)
    .info('server')
    .info('replication')
    .exec();
  const [server, replication] = (answers ?? [])
    .map(([error, answer]) => {
      if (error) throw error;
      return answer;
    })
    .slice(1) as [string, string];
  if (!/^role:master/m.test(replication)) throw new WrongServer('this Redis is a replica');
  return epochOf(server, replication);
}
