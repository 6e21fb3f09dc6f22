import { z } from 'zod';
import { KEY_PREFIX, type Redis } from '../../../platform/redis.js';
import { parseRedisValue } from '../../../platform/redis-value.js';
import { type Observation, observation } from './observation.js';
import { LONGEST_GAP_MS } from './windows.js';

const KEY = `${KEY_PREFIX}:alert-observations`;
/** The longest look back of a rule: growth over 10 minutes, for 5, and what stands before the first. */
const KEPT_MS = 16 * 60_000;

/** The fleet's observations of the last minutes. A Redis that loses them makes alerts late, and no rule is lost. */
export interface History {
  /** In order of time. What another machine's clock put into the future is left out. */
  read(now: number): Promise<readonly Observation[]>;
  /** Keeps these, as far as rules look back. */
  write(seen: readonly Observation[]): Promise<void>;
}

const history = z.array(observation);

export function createHistory(redis: Redis): History {
  return {
    async read(now) {
      const text = await redis.get(KEY);
      // What another version wrote is as good as none: rules begin anew.
      const kept = text === null ? undefined : parseRedisValue('alert_observations', history, text);
      return (kept ?? []).filter(({ at }) => at <= now + LONGEST_GAP_MS);
    },
    async write(seen) {
      const begin = seen.at(-1)!.at - KEPT_MS;
      const kept = seen.filter(({ at }) => at > begin);
      await redis.set(KEY, JSON.stringify(kept), 'PX', KEPT_MS);
    },
  };
}
