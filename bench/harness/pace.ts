import { setTimeout as pause } from 'node:timers/promises';

/** Steps that come whatever becomes of the earlier ones. */
export interface Pace {
  readonly perSecond: number;
  /** Not measured, so that connections are open and code is warm. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** What was found at a pace. */
export interface Paced<Step> {
  /** Of the measured seconds. */
  readonly steps: readonly Step[];
  /** How many were done, the warm-up included. */
  readonly done: number;
  /** How late each measured one began: much, where this process could not keep the pace. */
  readonly lateMs: readonly number[];
}

/**
 * Begins steps at even distances and waits for all of them at the end.
 *
 * @param step gets its number and the instant at which it was due, as `performance.now()` counts
 * @throws what any step throws
 */
export async function atPace<Step>(
  { perSecond, warmUpSeconds, seconds }: Pace,
  step: (n: number, dueAt: number) => Promise<Step>,
): Promise<Paced<Step>> {
  const total = Math.round(perSecond * (warmUpSeconds + seconds));
  const unmeasured = Math.round(perSecond * warmUpSeconds);
  const steps: Step[] = [];
  const lateMs: number[] = [];
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let hasFailed = false;
  let begun = 0;
  let done = 0;
  // Keeps what a step found and nothing of the step itself: a heap that grows with the load would be measured with it.
  const take = async (n: number, dueAt: number): Promise<void> => {
    const found = await step(n, dueAt);
    if (n >= unmeasured) steps.push(found);
    done += 1;
    if (done === total) end();
  };
  const startedAt = performance.now();
  while (begun < total && !hasFailed) {
    const dueAt = startedAt + (begun * 1000) / perSecond;
    const late = performance.now() - dueAt;
    if (late < 0) {
      await pause(1);
      continue;
    }
    if (begun >= unmeasured) lateMs.push(late);
    take(begun, dueAt).catch((error: unknown) => {
      hasFailed = true;
      fail(error);
    });
    begun += 1;
  }
  await over;
  return { steps, done, lateMs };
}
