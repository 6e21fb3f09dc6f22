import { runIdsOf } from './every-master.js';
import { connectAnew, isCluster, isReady, onBreak, type Redis } from './redis.js';

const COMPARE_EVERY_MS = 1_000;

/** What the cache lease knows of the servers that processes use. */
export interface ServerWatch {
  /** See `CacheLease`. */
  isHeld(): boolean;
  /**
   * What the lease's connections lead to, as `Look` has it. Undefined until a lease was held by them, and once a server is another
   * than processes use.
   */
  life(): string | undefined;
  /** The run ids of these servers. Undefined as `life` is. */
  runIds(): ReadonlySet<string> | undefined;
  /**
   * Makes the lease's connections anew, and notifies those that listen, every few seconds at most: behind the same address there may
   * be another server by now. The lease does so itself where it finds a replica, or a server that others have left.
   */
  leave(): void;
  /**
   * `listener` makes its connection anew with the lease's.
   *
   * @returns stops it
   */
  onLeave(listener: () => void): () => void;
}

/** Where Redis is; with `server`, connections to it go where the cache lease goes. */
export interface RedisAddress {
  /** One: a single Redis; several: some nodes of a Cluster. */
  readonly urls: readonly string[];
  readonly server?: ServerWatch | undefined;
}

/** A connection that goes where the cache lease goes. */
export interface Following {
  /** Whether it is known to lead to servers that the lease was last held on, and to no other. */
  isRight(): boolean;
  stop(): void;
}

/**
 * Keeps a connection on the servers that the cache lease is held on. An old primary that was cut off and an address that
 * has moved break no connection, and each connection of a process may move alone. So each compares its servers with the
 * lease's every second. Where it has another it connects anew; where it has one then too, so do the lease and all others. A Cluster
 * is first asked once more who has its slots: a replica that was promoted is reached by the connections that there are.
 */
export function followServer(redis: Redis, server: ServerWatch): Following {
  /** Undefined until the servers have answered. */
  let runIds: ReadonlySet<string> | undefined;
  let wasMadeAnew = false;
  let wasAskedAgain = false;
  /** The newest question, until it is answered. */
  let asked: Promise<ReadonlySet<string>> | undefined;

  const forget = (): void => {
    runIds = undefined;
    asked = undefined;
  };
  const ask = (): void => {
    forget();
    const question = runIdsOf(redis);
    asked = question;
    // Of a connection that closed meanwhile nothing is learnt.
    const answered = (answer?: ReadonlySet<string>): void => {
      if (question !== asked) return;
      runIds = answer;
      asked = undefined;
    };
    question.then(answered, () => answered());
  };
  function isRight(): boolean {
    const used = server.runIds();
    return used !== undefined && runIds !== undefined && [...runIds].every((runId) => used.has(runId));
  }
  function compare(): void {
    // A server that was too busy to say who it is is asked again.
    if (runIds === undefined && !asked && isReady(redis)) ask();
    if (runIds === undefined || server.runIds() === undefined) return;
    if (isRight()) wasMadeAnew = wasAskedAgain = false;
    else if (isCluster(redis) && !wasAskedAgain) {
      wasAskedAgain = true;
      redis.refreshSlotsCache(() => isReady(redis) && ask());
    } else {
      if (wasMadeAnew) server.leave();
      else connectAnew(redis);
      wasMadeAnew = !wasMadeAnew;
    }
  }

  const stopForgetting = onBreak(redis, forget);
  redis.on('ready', ask);
  if (isReady(redis)) ask();
  const timer = setInterval(compare, COMPARE_EVERY_MS).unref();
  const stopListening = server.onLeave(() => connectAnew(redis));
  return {
    isRight,
    stop() {
      clearInterval(timer);
      stopListening();
      stopForgetting();
      redis.off('ready', ask);
    },
  };
}
