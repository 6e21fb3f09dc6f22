import { createHash } from 'node:crypto';

/** One life of one server. */
export interface ServerLife {
  /** Changes with every start. */
  readonly runId: string;
  /** Changes with every start and every promotion. */
  readonly replicationId: string;
}

/**
 * @param server what `INFO server` says
 * @param replication what `INFO replication` says
 * @throws where one of them is hidden: all servers that hide them would look the same
 */
export const lifeIn = (server: string, replication: string): ServerLife => ({
  runId: runIdIn(server),
  replicationId: field(replication, 'master_replid'),
});

/**
 * Which lives of which servers answer: a Redis that was restarted from disk, or a replica that was promoted, may have lost writes
 * that were acknowledged. What was written in an earlier epoch proves nothing. Of several servers, as the masters of a Cluster
 * are, no one may have begun another life, and none have joined or left.
 *
 * @returns what stands for the servers, `/`, what stands for their lives
 */
export function epochOf(lives: readonly ServerLife[]): string {
  const [one, ...others] = [
    ...new Set(lives.map(({ runId, replicationId }) => `${runId}/${replicationId}`)),
  ].sort();
  if (others.length === 0) return one!;
  const all = [one!, ...others];
  return `${digestOf(all.map(runIdOf))}/${digestOf(all)}`;
}

const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join()).digest('hex').slice(0, 40);

/**
 * @param server what `INFO server` says
 * @throws where the run id is hidden
 */
export const runIdIn = (server: string): string => field(server, 'run_id');

const runIdOf = (life: string): string => life.split('/', 1)[0]!;

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

/** The server is not the one that caches are answered from. */
export class WrongServer extends Error {}

export const isWrongServer = (error: unknown): boolean =>
  error instanceof WrongServer || (error instanceof Error && error.message.startsWith('READONLY'));
