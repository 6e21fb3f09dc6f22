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
