import { createHash } from 'node:crypto';
import { answersOf, isReady, KEY_PREFIX, type Redis } from './redis.js';

/**
 * Which life of which server answers: the run id changes with every start, the replication id with every promotion. A
 * Redis that was restarted from disk, or a replica that was promoted, may have lost writes that were acknowledged: what
 * was written in an earlier epoch proves nothing.
 *
 * @param server what `INFO server` says
 * @param replication what `INFO replication` says
 * @throws where one of them is hidden: all servers that hide them would look the same
 */
export const epochOf = (server: string, replication: string): string =>
  `${runIdIn(server)}/${field(replication, 'master_replid')}`;

/**
 * @param server what `INFO server` says
 * @throws where the run id is hidden
 */
export const runIdIn = (server: string): string => field(server, 'run_id');

/** @param life as `Look` has it */
export const runIdOf = (life: string): string => life.split('/', 1)[0]!;

function field(info: string, name: string): string {
  const [, value] = new RegExp(`^${name}:(\\S+)`, 'm').exec(info) ?? [];
  if (value === undefined) throw new Error(`this Redis does not show its ${name}`);
  return value;
}

/** 8 characters that stand for a text: of an epoch they stand in every key, or before every entry. */
export const shorten = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 8);

/**
 * What stands for a life of Redis in keys and before entries: 8 characters for its epoch; `.1`, `.2` and so on follow where
 * that came back.
 *
 * @param life as `Look` has it
 */
export function nameOfLife(life: string): string {
  const [epoch = '', ...returns] = life.split('.');
  return [shorten(epoch), ...returns].join('.');
}

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
  const asked = redis
    .pipeline()
    .set(KEY, String(Date.now()), 'PX', KEY_LIFE_MS)
    .info('server')
    .info('replication');
  const [, server, replication] = (await answersOf(asked)) as [unknown, string, string];
  if (!/^role:master/m.test(replication)) throw new WrongServer('this Redis is a replica');
  return epochOf(server, replication);
}
