import { expect, it } from 'vitest';
import { shareWhileFollowed } from '../../src/platform/process-counts/share-while-followed.js';

/** Work that counts its runs and emits what the test says. */
function shared() {
  const runs: { emit: (value: number) => void; signal: AbortSignal }[] = [];
  const follow = shareWhileFollowed<number>(async (emit, signal) => {
    runs.push({ emit, signal });
  });
  return { runs, follow };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('works once for all who follow, and ends with the last of them', async () => {
  const { runs, follow } = shared();
  const [one, other] = [new AbortController(), new AbortController()];
  const [first, second] = [follow(one.signal), follow(other.signal)];
  expect(runs.length).toBe(0);
  const both = [first.next(), second.next()];
  expect(runs.length).toBe(1);
  runs[0]!.emit(1);
  expect(await Promise.all(both)).toEqual([
    { value: 1, done: false },
    { value: 1, done: false },
  ]);
  one.abort();
  expect((await first.next()).done).toBe(true);
  expect(runs[0]!.signal.aborted).toBe(false);
  const last = second.next();
  other.abort();
  expect((await last).done).toBe(true);
  expect(runs[0]!.signal.aborted).toBe(true);
  const third = follow(new AbortController().signal).next();
  expect(runs.length).toBe(2);
  runs[0]!.emit(7);
  runs[1]!.emit(8);
  expect((await third).value).toBe(8);
});

it('keeps nothing for a follower who is slow', async () => {
  const { runs, follow } = shared();
  const leaving = new AbortController();
  const values = follow(leaving.signal);
  const first = values.next();
  for (const value of [1, 2, 3]) runs[0]!.emit(value);
  expect((await first).value).toBe(1);
  const next = values.next();
  await turn();
  runs[0]!.emit(4);
  expect((await next).value).toBe(4);
  await values.return();
  expect(runs[0]!.signal.aborted).toBe(true);
});

it('does not begin for somebody who has left already', async () => {
  const { runs, follow } = shared();
  expect((await follow(AbortSignal.abort()).next()).done).toBe(true);
  expect(runs.length).toBe(0);
});
