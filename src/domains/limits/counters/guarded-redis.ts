import { Command } from 'ioredis';
import { KEY_PREFIX, type Script } from '../../../platform/redis.js';
import type { ServerWatch } from '../../../platform/server-watch.js';
import { atMostOneASecond } from '../at-most-one-a-second.js';
import { createCommandDeadlines } from './command-deadline.js';
import { openImpatientClient } from './impatient-client.js';
import { createNodeGuard, type NodeGuard } from './node-guard.js';
import { isUnknownScript, refusalOf } from './refusal.js';
import { StoreUnreachable } from './store.js';

/** Runs scripts on the counters' Redis, or says quickly that it cannot. */
export interface GuardedRedis {
  /** Keys of different slots may not travel in one call. */
  readonly cluster: boolean;
  /**
   * Runs a script within the command timeout: sent at most once, never later; strings of its answer are Buffers. One
   * timeout, lost connection or answer of a Redis that cannot count now opens the breaker of that node. An error of
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
 * Connects in the background, for ever; until the first connection is up, runs reject with 'connection'.
 *
 * @param urls one address: a single Redis; several: seeds of a Cluster
 */
export function openGuardedRedis(options: {
  urls: readonly string[];
  /** Hears errors of connections, at most one a second. */
  onError: (error: Error) => void;
  /** Hears the breaker open and close; on a Cluster: the first node's open, the last one's close. */
  onState?: (state: 'open' | 'closed') => void;
  timeoutMs?: number;
  /** What a single Redis goes by that is also the processes' own. */
  server?: ServerWatch | undefined;
}): GuardedRedis {
  const { onState = () => undefined } = options;
  const guards = new Map<string, NodeGuard>();
  let open = 0;
  // Until something was answered or went wrong, a missing connection is no failure: it is being made.
  let starting = true;
  const report = atMostOneASecond(options.onError, monotonic);
  const onError = (error: Error): void => {
    starting = false;
    report(error);
  };
  const client = openImpatientClient(options.urls, onError, options.server);
  const deadlines = createCommandDeadlines(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, monotonic);

  /**
   * Sends a command, and the same in full should Redis not know the script.
   *
   * @param onUnfit told before the rejection when the node cannot count
   */
  function ask(command: Command, onUnfit?: () => void, inFull?: () => Command): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting = deadlines.start(() => {
        onUnfit?.();
        reject(new StoreUnreachable('timeout'));
      });
      const answered = (answer: unknown): void => {
        starting = false;
        if (waiting.settle()) resolve(answer);
      };
      const refused = (cause: unknown): void => {
        if (!waiting.settle()) return;
        const { errorType, nodeIsUnfit } = refusalOf(cause);
        if (nodeIsUnfit && !(starting && errorType === 'connection')) onUnfit?.();
        reject(new StoreUnreachable(errorType, { cause }));
      };
      client.send(command).then(answered, (error: unknown) => {
        if (inFull && isUnknownScript(error) && !waiting.over) client.send(inFull()).then(answered, refused);
        else refused(error);
      });
    });
  }

  function guardOf(node: string): NodeGuard {
    const known = guards.get(node);
    if (known) return known;
    const guard = createNodeGuard({ probe, onState: count, monotonic });
    guards.set(node, guard);
    return guard;
  }

  /** A write, which a replica, a full Redis and one that loads refuse; a PING they may answer. */
  function probe(failedKey: string): Promise<unknown> {
    client.refresh();
    return ask(new Command('set', [probeKeyFor(failedKey), 1, 'PX', 1_000]));
  }

  function count(state: 'open' | 'closed'): void {
    open += state === 'open' ? 1 : -1;
    if (open === (state === 'open' ? 1 : 0)) onState(state);
  }

  return {
    cluster: client.cluster,
    run(script, keys, args) {
      const command = evaluation('evalsha', script.sha, keys, args);
      const guard = guardOf(client.nodeOf(command));
      if (!guard.passable) return Promise.reject(new StoreUnreachable('breaker_open'));
      const onUnfit = () => guard.fail(keys[0] ?? '');
      return ask(command, onUnfit, () => evaluation('eval', script.source, keys, args));
    },
    close() {
      for (const guard of guards.values()) guard.stop();
      client.disconnect();
    },
  };
}

const evaluation = (
  name: 'eval' | 'evalsha',
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Command => new Command(name, [script, keys.length, ...keys, ...args]);

/** In the slot of the key that failed, so that the same node answers. */
function probeKeyFor(failedKey: string): string {
  const tag = /\{([^}]+)\}/.exec(failedKey)?.[1] ?? failedKey;
  return `${KEY_PREFIX}:limit:{${tag}}:probe`;
}
