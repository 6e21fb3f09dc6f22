import { AsyncLocalStorage } from 'node:async_hooks';
import { PublicError } from '../errors.js';
import { isConnectionError } from '../postgres/postgres.js';

/** So many wait for their turn on one key at most. */
const MAX_WAITING = 1_000;

/**
 * Runs `work` once every earlier work of the same key in this process has ended, for the reader and in the trace that asked for it.
 *
 * Where one of them failed since the database is away, it rejects with the same error and does not begin: nobody
 * waits for the same silence twice.
 *
 * @throws PublicError SERVICE_UNAVAILABLE where 1,000 wait already
 */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  begin(): Promise<unknown>;
  reject(error: unknown): void;
}

/**
 * Queues by key. Commands of one process on one stream take turns, so that only other processes' commands can
 * come between a load and its append: a hot stream costs waiting instead of conflicts.
 */
export function createTurns(): InTurn {
  /** Who waits; a key is in it as long as one of its works runs. */
  const queues = new Map<string, Waiting[]>();

  async function drain(key: string, queue: Waiting[]): Promise<void> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        await next.begin();
      } catch (error) {
        if (!isConnectionError(error)) continue;
        for (const waiting of queue.splice(0)) waiting.reject(error);
      }
    }
    queues.delete(key);
  }

  return <T>(key: string, work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const queue = queues.get(key);
      if (queue && queue.length >= MAX_WAITING) {
        throw new PublicError('SERVICE_UNAVAILABLE', 'Too many commands wait for the same thing: try again');
      }
      const waiting: Waiting = {
        // The queue goes on in the context of the caller who found it empty, whose reader may leave.
        begin: AsyncLocalStorage.bind(async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
            throw error;
          }
        }),
        reject,
      };
      if (queue) {
        queue.push(waiting);
      } else {
        const own = [waiting];
        queues.set(key, own);
        void drain(key, own);
      }
    });
}
