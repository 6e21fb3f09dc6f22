import { connectAnew, isReady, type Redis } from './redis.js';
import { runIdIn, runIdOf } from './redis-epoch.js';

const COMPARE_EVERY_MS = 1_000;

/** What the cache lease knows of the server that processes use. */
export interface ServerWatch {
  /** See `CacheLease`. */
  isHeld(): boolean;
  /**
   * The life of the server that the lease's connection leads to, as `Look` has it: run id first. Undefined until a lease was
   * held by that connection, and once the server is another than processes use.
   */
  life(): string | undefined;
  /**
   * Makes the lease's connection anew, and notifies those that listen, every few seconds at most: behind the same address there may
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
  /** Whether it is known to lead to the server that the lease was last held on. */
  isRight(): boolean;
  stop(): void;
}

/**
 * Keeps a connection on the server that the cache lease is held on. An old primary that was cut off and an address that
 * has moved break no connection, and each connection of a process may move alone. So each compares its server with the
 * lease's every second. Where they differ it connects anew; where they differ then too, so do the lease and all others.
 */
export function followServer(redis: Redis, server: ServerWatch): Following {
  /** Undefined until the server has answered. */
  let runId: string | undefined;
  let wasMadeAnew = false;
  /** The newest question, until it is answered. */
  let asked: Promise<string | undefined> | undefined;

  const forget = (): void => {
    runId = undefined;
    asked = undefined;
  };
  const ask = (): void => {
    forget();
    const question = redis.info('server').then(runIdIn);
    asked = question;
    // Of a connection that closed meanwhile nothing is learnt.
    const answered = (answer?: string): void => {
      if (question !== asked) return;
      runId = answer;
      asked = undefined;
    };
    question.then(answered, () => answered());
  };
  function isRight(): boolean {
    const life = server.life();
    return life !== undefined && runIdOf(life) === runId;
  }
  function compare(): void {
    // A server that was too busy to say who it is is asked again.
    if (runId === undefined && !asked && isReady(redis)) ask();
    if (runId === undefined || server.life() === undefined) return;
    if (isRight()) wasMadeAnew = false;
    else {
      if (wasMadeAnew) server.leave();
      else connectAnew(redis);
      wasMadeAnew = !wasMadeAnew;
    }
  }

  redis.on('close', forget).on('ready', ask);
  if (isReady(redis)) ask();
  const timer = setInterval(compare, COMPARE_EVERY_MS).unref();
  const stopListening = server.onLeave(() => connectAnew(redis));
  return {
    isRight,
    stop() {
      clearInterval(timer);
      stopListening();
      redis.off('close', forget).off('ready', ask);
    },
  };
}
