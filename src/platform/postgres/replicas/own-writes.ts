import type { CacheLease } from '../../cache/cache-lease.js';
import type { MissedWrites } from '../../cache/missed-writes.js';
import { groupCommit } from '../../group-commit.js';
import { KEY_PREFIX, loadScript, type Redis, runScript } from '../../redis/redis.js';
import type { Queryable } from '../postgres.js';
import { sql } from './positions.sql.js';

const noteMark = loadScript(new URL('./own-write.lua', import.meta.url));

/** Noted where Redis did not take a mark. */
const TOPIC = 'own-writes';
/** Written where the primary did not say where it is: no replica is so far. */
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;
/** A mark outlives the lag of any replica that is used. */
const MARGIN_MS = 10_000;

export type OwnWrites = ReturnType<typeof createOwnWrites>;

/**
 * Up to where the log was written when somebody's last change was acknowledged, in Redis: whichever process they ask next
 * knows of it. It is read under the cache lease, and written as an invalidation is: where Redis does not take a mark, all
 * processes know of that before the change is acknowledged.
 */
export function createOwnWrites(deps: {
  readonly primary: Queryable;
  readonly redis: Redis;
  readonly lease: Pick<CacheLease, 'read' | 'invalidate'>;
  readonly missedWrites: Pick<MissedWrites, 'onTopics'>;
  readonly maxLagMs: number;
  /** Marks may be lost. */
  readonly onLost: () => void;
}) {
  const { primary, redis, lease, maxLagMs, onLost } = deps;
  const keptMs = maxLagMs + MARGIN_MS;
  let lastEpoch: string | undefined;
  const keyOf = (epoch: string, userId: string): string => `${KEY_PREFIX}:own_write:${epoch}:${userId}`;
  const position = groupCommit<void, number>({
    maxItems: Number.POSITIVE_INFINITY,
    commit: async (askers) => {
      const { rows } = await primary.query(sql.readPrimary);
      return askers.map(() => rows[0]!.position);
    },
  });
  const stop = deps.missedWrites.onTopics((topics) => {
    if (topics === 'all' || topics.includes(TOPIC)) onLost();
  });

  return {
    /**
     * After commits, before they are acknowledged.
     *
     * @throws where neither Redis nor Postgres takes the mark: nothing may be acknowledged then
     */
    async note(userId: string): Promise<void> {
      const written = await position().catch(() => BEYOND_ALL);
      const set = (epoch: string) => runScript(redis, noteMark, [keyOf(epoch, userId)], [written, keptMs]);
      await lease.invalidate([], set, [TOPIC]);
    },

    /** A position that holds what they have written; 0: they have written nothing for long; undefined: that is not known. */
    async of(userId: string): Promise<number | undefined> {
      const mark = await lease.read(async (epoch) => {
        // What was written to another Redis is not in this one.
        if (epoch !== lastEpoch) onLost();
        lastEpoch = epoch;
        return { position: Number((await redis.get(keyOf(epoch, userId))) ?? 0) };
      });
      return mark?.position;
    },

    close: stop,
  };
}
