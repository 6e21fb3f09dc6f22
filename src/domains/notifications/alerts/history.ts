import { z } from 'zod';
import { KEY_PREFIX, type Redis } from '../../../platform/redis/redis.js';
import { parseRedisValue } from '../../../platform/redis/redis-value.js';
import { type Observation, observation } from './observation.js';
import { LONGEST_GAP_MS } from './windows.js';

const KEY = `${KEY_PREFIX}:alert-observations`;
/** The longest look back of a rule: growth over 10 minutes, for 5, and what stands before the first. */
const KEPT_MS = 16 * 60_000;

const history = z.array(observation);

/**
 * The fleet's observations of the last minutes, in order of time. What another machine's clock put into the future is left out. A
 * Redis that loses them makes alerts late, and no rule is lost.
 */
export async function readHistory(redis: Redis, now: number): Promise<readonly Observation[]> {
  const text = await redis.get(KEY);
  // What another version wrote is as good as none: rules begin anew.
  const kept = text === null ? undefined : parseRedisValue('alert_observations', history, text);
  return (kept ?? []).filter(({ at }) => at <= now + LONGEST_GAP_MS);
}

/** Keeps these, as far as rules look back. */
export async function writeHistory(redis: Redis, seen: readonly Observation[]): Promise<void> {
  const begin = seen.at(-1)!.at - KEPT_MS;
  const kept = seen.filter(({ at }) => at > begin);
  await redis.set(KEY, JSON.stringify(kept), 'PX', KEPT_MS);
}
