import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.js';
import { PublicError } from '../../platform/errors.js';
import type { Heard, WakeUpHub } from '../../platform/wake-ups.js';

const POLL_MS = 50;
const TIMEOUT_MS = 5_000;

/** What a reader waits for, and what ends the wait. */
export interface Wait {
  readonly afterVersion: number;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * Reads until the read model has reached a version: again at each wake-up on `topic`, and every 50 ms in case one was
 * lost; 5000 ms at most.
 *
 * @param read answers null while there is nothing; what it throws ends the wait
 * @throws PublicError READ_MODEL_TIMEOUT; BAD_USER_INPUT for a version below zero;
 *   SERVICE_UNAVAILABLE where the client has gone, or the hub has closed
 */
export async function readAfterVersion<Model extends { readonly version: number }>(
  topic: string,
  read: () => Promise<Model | null>,
  { afterVersion, hub, clock, signal }: Wait,
): Promise<Model> {
  if (afterVersion < 0) throw new PublicError('BAD_USER_INPUT', 'afterVersion must not be below zero');
  const deadline = clock.now() + TIMEOUT_MS;
  // Listening before the first read: what is projected between the two is heard.
  const listener = hub.listen(topic);
  let heard = listener.next();
  try {
    for (;;) {
      const model = await read();
      if (model && model.version >= afterVersion) return model;
      if (signal.aborted) throw new PublicError('SERVICE_UNAVAILABLE', 'The client has gone');
      if (clock.now() >= deadline) {
        throw new PublicError('READ_MODEL_TIMEOUT', 'Read model consistency timeout');
      }
      const first = await within(POLL_MS, heard, signal);
      if (first === null) throw new PublicError('SERVICE_UNAVAILABLE', 'The server is going down');
      // An unanswered `next` is kept, so that a wake-up during a read is not lost.
      if (first !== 'late') heard = listener.next();
    }
  } finally {
    listener.close();
  }
}

/** What was heard, or 'late' after `ms` or when `signal` aborts. */
async function within(
  ms: number,
  heard: Promise<Heard | null>,
  signal: AbortSignal,
): Promise<Heard | null | 'late'> {
  const answered = new AbortController();
  const late = pause(ms, 'late' as const, { signal: AbortSignal.any([signal, answered.signal]) });
  const first = await Promise.race([heard, late.catch(() => 'late' as const)]);
  answered.abort();
  return first;
}
