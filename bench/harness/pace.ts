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
 * @throws what any step throws
 */
export async function atPace<Step>(
  { perSecond, warmUpSeconds, seconds }: Pace,
  step: (n: number) => Promise<Step>,
): Promise<Paced<Step>> {
  const total = Math.round(perSecond * (warmUpSeconds + seconds));
  const unmeasured = Math.round(perSecond * warmUpSeconds);
  const lateMs: number[] = [];
  const running: Promise<Step>[] = [];
  const failed = new AbortController();
  const startedAt = performance.now();
  while (running.length < total && !failed.signal.aborted) {
    const late = performance.now() - startedAt - (running.length * 1000) / perSecond;
    if (late < 0) {
      await pause(1);
      continue;
    }
    if (running.length >= unmeasured) lateMs.push(late);
    const one = step(running.length);
    one.catch(() => failed.abort());
    running.push(one);
  }
  const steps = await Promise.all(running);
  return { steps: steps.slice(unmeasured), done: steps.length, lateMs };
}
