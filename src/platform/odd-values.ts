import type { Command } from 'ioredis';
import type { Redis } from './redis/redis.js';
import { noteDiscarded } from './redis/redis-value.js';

/**
 * A key of another type than it should have, or a script that failed over what a key holds. Redis 6 wraps what a script
 * meets: `ERR Error running script (call to f_…): @user_script:1: WRONGTYPE …`.
 */
const ODD_VALUE =
  /WRONGTYPE|user_script:\d+: (?!.*(?:OOM|READONLY|MISCONF|NOREPLICAS|BUSY|LOADING|MASTERDOWN))|ERR (?:value|hash value) is not an? (?:integer|valid float)|ERR increment or decrement would overflow/;

/** Whether Redis says that a key may hold something else than it should: a reason to look, and not yet to remove it. */
export const isOddValue = (error: unknown): boolean =>
  error instanceof Error && ODD_VALUE.test(error.message);

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:get|set|append|strlen|incr|decr|bit)/, 'string'],
  [/^b?l|^b?r(?:push|pop)/, 'list'],
  [/^h/, 'hash'],
  [/^s(?:add|card|ismember|members|mismember|pop|randmember|rem|scan)/, 'set'],
  [/^b?z(?!diff|inter|union)/, 'zset'],
  [/^x/, 'stream'],
];
const SCRIPT = /^(?:eval|fcall)/;
/** Of these alone a complaint about a number may be about what the key holds. */
const COUNTS = /^(?:incr|decr)/;
const HASH_COUNTS = /^hincr/;

type Sent = Pick<Command, 'name' | 'getKeys'>;

/**
 * Removes the keys of a failed command that hold something else than they should:
 *
 * - where Redis says WRONGTYPE, those whose type is not the command's; all keys of a script, which alone knows their types;
 * - where it says that a number cannot be counted on, the key, if it holds none.
 *
 * An error that may be about an argument or the script itself removes nothing.
 */
export async function removeOddValues(redis: Redis, command: Sent, error: unknown): Promise<void> {
  if (!isOddValue(error)) return;
  const isOdd = judge(redis, command.name.toLowerCase(), (error as Error).message);
  if (!isOdd) return;
  // One by one: on a Cluster they may lie in several slots.
  for (const key of command.getKeys()) {
    try {
      if (!(await isOdd(key))) continue;
      noteDiscarded('odd_value', { err: error, command: command.name, key: String(key) });
      await redis.del(key);
    } catch {
      // It is found odd again when it is needed next.
    }
  }
}

/** How to find out whether a key of this command is odd; undefined where none is. */
function judge(
  redis: Redis,
  name: string,
  message: string,
): ((key: string | Buffer) => Promise<boolean>) | undefined {
  if (message.includes('WRONGTYPE')) {
    if (SCRIPT.test(name)) return async () => true;
    const expected = TYPES.find(([names]) => names.test(name))?.[1];
    return expected === undefined
      ? undefined
      : async (key) => ![expected, 'none'].includes(await redis.type(key));
  }
  if (HASH_COUNTS.test(name) && message.includes('hash value')) return async () => true;
  if (COUNTS.test(name)) return async (key) => !isCount(await redis.get(key));
  return undefined;
}

const isCount = (text: string | null): boolean =>
  text === null || (text !== '' && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER);
