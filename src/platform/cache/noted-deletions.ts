import { answerWithin } from '../deadline.js';
import { removeEach } from '../redis/many-keys.js';
import { KEY_PREFIX, type Redis } from '../redis/redis.js';
import { nameOfLife } from '../redis/redis-epoch.js';
import { keyInEpoch, type MissedWritesLog } from './missed-writes.js';

/** The process that deletes noted keys holds it: all others would wait for the same rows. Two at once do no harm. */
const CLAIM = `${KEY_PREFIX}:cache-lease:deleting`;
/** A holder that has not gone on for so long is taken for dead. */
const CLAIM_MS = 1_000;
const ANSWER_MS = 300;
const DELETED_AT_ONCE = 1_000;

/**
 * Deletes all noted keys from the servers that connections lead to, and marks them. A note does not say where its key was.
 *
 * @param life of these servers
 * @param isSame whether the connections still are those by which their epoch was read
 * @throws where another process is at it, and wherever some may be left
 */
export async function deleteNoted(
  redises: readonly Redis[],
  missed: Pick<MissedWritesLog, 'applyAll'>,
  life: string,
  isSame: () => boolean,
): Promise<void> {
  const [redis] = redises as readonly [Redis, ...Redis[]];
  const claimed = await answerWithin(ANSWER_MS, redis.set(CLAIM, life, 'PX', CLAIM_MS, 'NX'));
  if (claimed === null) {
    // What never expires is no claim.
    const left = await answerWithin(ANSWER_MS, redis.pttl(CLAIM));
    if (left === -1 || left > CLAIM_MS) await answerWithin(ANSWER_MS, redis.del(CLAIM));
    throw new Error('another process deletes what Redis has missed');
  }
  try {
    await missed.applyAll(life, async (keys) => {
      for (let i = 0; i < keys.length; i += DELETED_AT_ONCE) {
        const some = keys.slice(i, i + DELETED_AT_ONCE).map((key) => keyInEpoch(key, nameOfLife(life)));
        await answerWithin(
          ANSWER_MS,
          Promise.all([redis.pexpire(CLAIM, CLAIM_MS), ...redises.map((one) => removeEach(one, some))]),
        );
      }
      // Commands are sent again where a connection breaks: another server may have taken them.
      if (!isSame()) throw new Error('the connection to Redis broke meanwhile');
    });
  } finally {
    void redis.del(CLAIM).catch(() => undefined);
  }
}
