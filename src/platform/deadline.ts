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
