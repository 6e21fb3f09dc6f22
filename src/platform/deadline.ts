import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Something took longer than it was allowed to. It may still go on; nobody waits for it any more. */
export class DeadlineExceeded extends Error {
  constructor(readonly ms: number) {
    super(`no answer in ${ms} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * What `work` resolves to, if it does so within `ms`.
 *
 * @throws DeadlineExceeded otherwise; a later failure of `work` is then swallowed
 */
export async function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DeadlineExceeded(ms)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does `work` with a signal that aborts after `ms`. Work that is done by then leaves nothing behind: a timer for each of
 * thousands of calls a second, and whatever it holds on to, would stay for as long as the slowest may take.
 */
export async function untilDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlineExceeded(ms)), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What `work` resolves to before `ms` have passed and before `signal` aborts. Its own signal aborts then, and nobody waits
 * for it any more, whether it heeds that or not: what it still comes to is thrown away.
 *
 * @throws DeadlineExceeded, or the reason of `signal`
 */
export async function unlessEnded<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    // First: what the abort makes of the work is no result.
    reject(reason);
    controller.abort(reason);
  };
  const leave = (): void => end(signal.reason);
  const timer = setTimeout(() => end(new DeadlineExceeded(ms)), ms);
  signal.addEventListener('abort', leave);
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  }
}

/**
 * What `work` resolves to within `ms`. An answer that came while the process was too busy to read it counts.
 *
 * @throws DeadlineExceeded otherwise; a later failure of `work` is then swallowed
 */
export async function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = pause(ms, undefined, { ref: false, signal: ended.signal })
    .then(() => nextTurn())
    .then(() => nextTurn())
    .then(() => {
      throw new DeadlineExceeded(ms);
    });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}

/** Resolves after `ms`, or when the signal aborts. */
export const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** Resolves with the first of both; where both fail it rejects as `work` does. */
export function firstOf(work: Promise<void>, other: Promise<void>): Promise<void> {
  return Promise.race([work, other.catch(() => work)]);
}
