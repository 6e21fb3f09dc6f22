import { Command } from 'ioredis';
import { isUnknownScript, KEY_PREFIX, type Script } from '../../../platform/redis/redis.js';
import type { ServerWatch } from '../../../platform/redis/server-watch.js';
import { isRedisRefusal } from '../../../platform/unavailable.js';
import { createCommandDeadlines } from './command-deadline.js';
import { openCounterConnection } from './connection.js';
import { createNodeBreaker, type NodeBreaker, NodeUnfit } from './node-breaker.js';
import { StoreUnreachable } from './store.js';

/** Runs scripts on the counters' Redis, or rejects quickly where it cannot. */
export interface GuardedRedis {
  /** Keys of different slots may not travel in one call. */
  readonly cluster: boolean;
  /**
   * Runs a script within the command timeout: sent at most once, never later; strings of its answer are Buffers. One
   * timeout, lost connection or answer of a Redis that cannot count now opens the circuit breaker of that node. An error of
   * the script itself on a sound Redis rejects as 'command' too, with Redis' words as its cause, and opens nothing.
   *
   * @throws StoreUnreachable; at once while the breaker is open or no connection is up
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** Disconnects, whatever Redis does. */
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 50;
const monotonic = (): number => performance.now();

/**
 * Connects in the background, without end; until the first connection is up, runs reject with 'connection'.
 *
 * @param urls one address: a single Redis; several: seeds of a Cluster
 */
export function openGuardedRedis(options: {
  urls: readonly string[];
  /** Gets errors of connections. */
  onError: (error: Error) => void;
  /** Called when a breaker opens or closes; on a Cluster: the first node's open, the last one's close. */
  onState?: (state: 'open' | 'closed') => void;
  timeoutMs?: number;
  /** Watches a single Redis that is also the processes' own. */
  server?: ServerWatch | undefined;
}): GuardedRedis {
  const { onState = () => undefined } = options;
  const breakers = new Map<string, NodeBreaker>();
  let open = 0;
  // Until something was answered or went wrong, a missing connection is no failure: it is being made.
  let starting = true;
  const onError = (error: Error): void => {
    starting = false;
    options.onError(error);
  };
  const connection = openCounterConnection(options.urls, onError, options.server);
  const deadlines = createCommandDeadlines(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, monotonic);

  /**
   * Sends a command, and the same in full should Redis not know the script.
   *
   * @throws NodeUnfit where the node cannot count, else StoreUnreachable
   */
  function send(command: Command, inFull?: () => Command): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pending = deadlines.start(() => reject(new NodeUnfit('timeout')));
      const answered = (answer: unknown): void => {
        starting = false;
        if (pending.settle()) resolve(answer);
      };
      const refused = (cause: unknown): void => {
        if (!pending.settle()) return;
        const { errorType, nodeIsUnfit } = refusalOf(cause);
        const isUnfit = nodeIsUnfit && !(starting && errorType === 'connection');
        reject(new (isUnfit ? NodeUnfit : StoreUnreachable)(errorType, { cause }));
      };
      sendNow(command).then(answered, (error: unknown) => {
        if (inFull && isUnknownScript(error) && !pending.over) sendNow(inFull()).then(answered, refused);
        else refused(error);
      });
    });
  }

  function sendNow(command: Command): Promise<unknown> {
    connection.client.sendCommand(command);
    return command.promise;
  }

  function breakerOf(node: string): NodeBreaker {
    const known = breakers.get(node);
    if (known) return known;
    const breaker = createNodeBreaker({ probe, onState: count, monotonic });
    breakers.set(node, breaker);
    return breaker;
  }

  /** A write, which a replica, a full Redis and one that loads refuse; a PING they may answer. */
  function probe(failedKey: string): Promise<unknown> {
    connection.refresh();
    return send(new Command('set', [probeKeyFor(failedKey), 1, 'PX', 1_000]));
  }

  function count(state: 'open' | 'closed'): void {
    open += state === 'open' ? 1 : -1;
    if (open === (state === 'open' ? 1 : 0)) onState(state);
  }

  return {
    cluster: connection.cluster,
    run(script, keys, args) {
      const command = evaluation('evalsha', script.sha, keys, args);
      const breaker = breakerOf(connection.nodeOf(command));
      return breaker.run(keys[0] ?? '', () =>
        send(command, () => evaluation('eval', script.source, keys, args)),
      );
    },
    close() {
      for (const breaker of breakers.values()) breaker.stop();
      connection.disconnect();
    },
  };
}

/**
 * What a failed command means for the counters: a Redis that cannot count, a lost connection, or an error of the script on a
 * sound Redis.
 */
export function refusalOf(error: unknown): {
  readonly errorType: 'connection' | 'command';
  /** Whether the next command to this node would fail as well. */
  readonly nodeIsUnfit: boolean;
} {
  if (!(error instanceof Error)) return { errorType: 'connection', nodeIsUnfit: true };
  if (isRedisRefusal(error)) return { errorType: 'command', nodeIsUnfit: true };
  // Redis answers, so that other scripts may well count: asking it again costs no wait.
  if (error.name === 'ReplyError') return { errorType: 'command', nodeIsUnfit: false };
  return { errorType: 'connection', nodeIsUnfit: true };
}

const evaluation = (
  name: 'eval' | 'evalsha',
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Command => new Command(name, [script, keys.length, ...keys, ...args]);

/** In the slot of the key that failed, so that the same node answers. */
function probeKeyFor(failedKey: string): string {
  const tag = /^[^{]*\{([^}]+)\}/.exec(failedKey)?.[1] ?? failedKey;
  return `${KEY_PREFIX}:limit:{${tag}}:probe`;
}
