import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Cluster, Redis as SingleRedis } from 'ioredis';
import { removeOddValues } from '../odd-values.js';
import { GatheredWrites } from './gathered-writes.js';
import { FAILS_AT_ONCE, openCluster, WAITS_FOR_FAILOVER } from './redis-cluster.js';

export type { Cluster, Redis as SingleRedis } from 'ioredis';

/**
 * A single Redis, or a Cluster. On a Cluster keys of several slots share no command, no script, no transaction and no pipeline: what
 * is asked for in one moment is one write to each node all the same.
 */
export type Redis = SingleRedis | Cluster;

/** Every key that tidings writes outside BullMQ starts with this. */
export const KEY_PREFIX = 'tidings';

/** A blocking read must not ask Redis to delay its answer for longer. */
export const LONGEST_BLOCK_MS = 1_000;

/** A peer that has gone silent is noticed: while a command waits by `socketTimeout`, else by TCP's keep-alive. */
const SILENCE = { connectTimeout: 5_000, keepAlive: 10_000, socketTimeout: 5_000 };
/**
 * Behind the same address there may be another primary by now, while the connection leads to the one that was demoted: what
 * that refuses is rejected, and the connection made anew. For connections that do nothing but write.
 */
export const LEAVES_REPLICAS = {
  reconnectOnError: (error: Error): boolean => error.message.includes('READONLY'),
};
/** BullMQ's workers let Redis delay an answer for 10 s at most; both connections of a worker have the same options. */
const LONGEST_BLOCK_OF_WORKERS_MS = 10_000;
/** Connections of queues' workers: they leave a peer that has gone silent, and replicas. */
export const OF_WORKERS = {
  ...SILENCE,
  ...LEAVES_REPLICAS,
  socketTimeout: LONGEST_BLOCK_OF_WORKERS_MS + 2_000,
};
/** Of an ordinary command, connecting anew included: a Redis that hangs is away. */
const LONGEST_COMMAND_MS = 5_000;

/**
 * Opens a connection for ordinary commands. A command waits at most 3 reconnections (on a Cluster a second or two for a failover),
 * and 5 s in all, then rejects, so that a dead Redis, or one that hangs, is an error and not a hang. What was sent by then may
 * still be done.
 *
 * @param urls one: a single Redis; several: some nodes of a Cluster
 */
export function openRedis(urls: readonly string[], onError: (error: Error) => void): Redis {
  const [url] = urls;
  if (urls.length > 1) {
    const cluster = { node: SILENCE, cluster: WAITS_FOR_FAILOVER, commandMs: LONGEST_COMMAND_MS };
    return openCluster(urls, { ...cluster, gathers: true, heals: true }, onError);
  }
  return new GatheringRedis(url!, {
    ...SILENCE,
    maxRetriesPerRequest: 3,
    commandTimeout: LONGEST_COMMAND_MS,
  }).on('error', onError);
}

/**
 * Removes a value that a command found to be odd: whatever tidings keeps in Redis can be made anew, and the next try finds
 * it absent. This one fails all the same.
 */
class HealingRedis extends SingleRedis {
  override sendCommand(...sent: Parameters<SingleRedis['sendCommand']>): unknown {
    const [command] = sent;
    const { reject } = command;
    command.reject = (error) => {
      void removeOddValues(this, command, error);
      reject(error);
    };
    return super.sendCommand(...sent);
  }
}

/** Gathers its writes. What `duplicate` makes sends each command at once. */
class GatheringRedis extends HealingRedis {
  private readonly writes = new GatheredWrites();

  override sendCommand(...sent: Parameters<SingleRedis['sendCommand']>): unknown {
    this.writes.begin(this.stream);
    return super.sendCommand(...sent);
  }
}

/**
 * Opens a connection for producers of jobs: a command rejects at once while Redis is away, and is not sent later,
 * when nobody waits for its answer any more. One that was sent rejects within 5 s.
 *
 * @param urls one: a single Redis; several: some nodes of a Cluster
 */
export function openFailingRedis(urls: readonly string[], onError: (error: Error) => void): Redis {
  const [url] = urls;
  if (urls.length > 1) {
    const node = { ...SILENCE, ...LEAVES_REPLICAS };
    return openCluster(urls, { node, cluster: FAILS_AT_ONCE, commandMs: LONGEST_COMMAND_MS }, onError);
  }
  return new SingleRedis(url!, {
    ...SILENCE,
    ...LEAVES_REPLICAS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: LONGEST_COMMAND_MS,
  }).on('error', onError);
}

/**
 * Opens a connection for blocking reads or subscriptions: it waits for Redis to come back as long as it takes, and
 * then sends again what had no answer. A read that blocks for `LONGEST_BLOCK_MS` at most and stays unanswered for
 * 2 s more makes it reconnect. On a Cluster a read is sent again for a second or two, then rejects.
 *
 * @param urls one: a single Redis; several: some nodes of a Cluster
 */
export function openBlockingRedis(urls: readonly string[], onError: (error: Error) => void): Redis {
  const [url] = urls;
  const silence = { ...SILENCE, socketTimeout: LONGEST_BLOCK_MS + 2_000 };
  if (urls.length > 1)
    return openCluster(urls, { node: silence, cluster: WAITS_FOR_FAILOVER, heals: true }, onError);
  return new HealingRedis(url!, { ...silence, maxRetriesPerRequest: null }).on('error', onError);
}

/** As `openBlockingRedis`, for a subscription by `subscribe`. */
export function openSubscribingRedis(urls: readonly string[], onError: (error: Error) => void): Redis {
  if (urls.length === 1) return openBlockingRedis(urls, onError);
  return openCluster(
    urls,
    { node: SILENCE, cluster: { ...WAITS_FOR_FAILOVER, shardedSubscribers: true } },
    onError,
  );
}

/** Whether it is a Cluster. */
export const isCluster = (redis: Redis): redis is Cluster => redis.isCluster;

/**
 * Whether a command would be sent now. One that is given to a connection which is not ready waits for it, for seconds
 * when Redis has been away for long: callers that can answer in another way ask first.
 */
export const isReady = (redis: Redis): boolean => redis.status === 'ready';

/**
 * Calls `listener` whenever a connection breaks: of a Cluster, that to any node. What was asked before may be answered by another
 * server.
 *
 * @returns stops it
 */
export function onBreak(redis: Redis, listener: () => void): () => void {
  const emitter: EventEmitter = redis;
  // Not `close` of a Cluster, which follows when the last node has gone. No command is sent to replicas.
  const [event, broken] = isCluster(redis)
    ? ['-node', (node: SingleRedis) => node.options.readOnly || listener()]
    : ['close', listener];
  emitter.on(event, broken);
  return () => void emitter.off(event, broken);
}

/**
 * Makes a connection anew, of a Cluster those to all nodes: behind the same address there may be another server by now. One that is
 * being made is left alone, since ioredis would end it for good.
 */
export function connectAnew(redis: Redis): void {
  if (isReady(redis)) redis.disconnect(true);
}

/** What the commands of a pipeline answered. @throws the first error among them */
export async function answersOf(pipeline: {
  exec(): Promise<[Error | null, unknown][] | null>;
}): Promise<unknown[]> {
  return ((await pipeline.exec()) ?? []).map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}

/** An atomic step: a `.lua` file whose header lists keys, arguments and answers. */
export interface Script {
  readonly source: string;
  readonly sha: string;
}

/** Reads a script once, at start: several files are one script, in this order. */
export function loadScript(...files: URL[]): Script {
  const source = files.map((file) => readFileSync(file, 'utf8')).join('');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** A Redis that was restarted or failed over does not know the script yet. */
export const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');

/** Runs a script by its digest; a Redis that does not know it yet gets its source. */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return redis.eval(script.source, keys.length, ...keys, ...args);
  }
}

/** One run of a script. */
export interface ScriptCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | number | Buffer)[];
}

/**
 * Runs a script once for each call, all in one round trip; answers in the order of the calls. A Redis that does not
 * know it yet gets its source. On a Cluster each call may be about another slot.
 *
 * @param strings whether the answers' strings come as text or as bytes
 * @throws the first error among them
 */
export async function runScriptEach(
  redis: Redis,
  script: Script,
  calls: readonly ScriptCall[],
  strings: 'text' | 'bytes' = 'text',
): Promise<unknown[]> {
  if (calls.length === 0) return [];
  const call = strings === 'text' ? 'call' : 'callBuffer';
  if (isCluster(redis)) return Promise.all(calls.map((one) => runScriptOn(redis, script, one, call)));
  const pipeline = redis.pipeline();
  for (const { keys, args } of calls) pipeline[call]('evalsha', script.sha, keys.length, ...keys, ...args);
  const answers = (await pipeline.exec()) ?? [];
  const unknown = calls.filter((_, index) => isUnknownScript(answers[index]![0]));
  if (unknown.length > 0) await redis.script('LOAD', script.source);
  const answered = await runScriptEach(redis, script, unknown, strings);
  return answers.map(([error, value]) => {
    if (isUnknownScript(error)) return answered.shift();
    if (error) throw error;
    return value;
  });
}

/** Nodes of a Cluster learn a script one by one. */
async function runScriptOn(
  cluster: Cluster,
  script: Script,
  { keys, args }: ScriptCall,
  call: 'call' | 'callBuffer',
): Promise<unknown> {
  try {
    return await cluster[call]('evalsha', script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return cluster[call]('eval', script.source, keys.length, ...keys, ...args);
  }
}
