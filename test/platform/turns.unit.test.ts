import { expect, it, vi } from 'vitest';
import { createTurns } from '../../src/platform/event-log/turns.js';
import { currentReader, forReader } from '../../src/platform/wake-ups/reader.js';

/** A work that waits to be told how it ends. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: vi.fn(() => promise), resolve, reject };
}
const away = Object.assign(new Error('away'), { code: 'ECONNRESET' });

it('works of one key run one after the other in order, those of others beside them', async () => {
  const inTurn = createTurns();
  const [first, second, other] = [held(), held(), held()];
  const ended = [inTurn('a', first.work), inTurn('a', second.work), inTurn('b', other.work)];
  await vi.waitFor(() => expect(other.work).toHaveBeenCalled(), 15_000);
  expect(first.work).toHaveBeenCalled();
  expect(second.work).not.toHaveBeenCalled();
  other.resolve('other');
  first.resolve('first');
  await vi.waitFor(() => expect(second.work).toHaveBeenCalled(), 15_000);
  second.resolve('second');
  expect(await Promise.all(ended)).toEqual(['first', 'second', 'other']);
});

it('a work that fails for a reason of its own lets the next one begin', async () => {
  const inTurn = createTurns();
  const failing = inTurn('a', () => Promise.reject(new Error('mine')));
  const next = inTurn('a', async () => 'done');
  await expect(failing).rejects.toThrow('mine');
  await expect(next).resolves.toBe('done');
});

it('where the database is away, all who wait on that key hear of it at once, and later ones try anew', async () => {
  const inTurn = createTurns();
  const first = held();
  const waiting = [held(), held()];
  const elsewhere = held();
  const ended = [first, ...waiting].map(({ work }) => inTurn('a', work));
  const other = inTurn('b', elsewhere.work);
  const told = Promise.allSettled(ended);
  first.reject(away);
  expect(await told).toEqual(Array(3).fill({ status: 'rejected', reason: away }));
  for (const { work } of waiting) expect(work).not.toHaveBeenCalled();

  elsewhere.resolve('elsewhere');
  await expect(other).resolves.toBe('elsewhere');
  await expect(inTurn('a', async () => 'back')).resolves.toBe('back');
});

it('more than 1,000 never wait for one key', async () => {
  const inTurn = createTurns();
  const first = held();
  const running = inTurn('a', first.work);
  const waiting = Array.from({ length: 1_000 }, () => inTurn('a', async () => 'done'));
  await expect(inTurn('a', async () => 'too many')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(inTurn('b', async () => 'done')).resolves.toBe('done');
  first.resolve('first');
  await expect(running).resolves.toBe('first');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']));
  await expect(inTurn('a', async () => 'room again')).resolves.toBe('room again');
});

it('a work that waits is done for the reader who asked for it, not for one who came before', async () => {
  const inTurn = createTurns();
  const reader = () => ({ signal: new AbortController().signal });
  const [first, second] = [reader(), reader()];
  const begun = held();
  const ended = [
    forReader(first, () => inTurn('a', () => begun.work().then(currentReader))),
    forReader(second, () => inTurn('a', async () => currentReader())),
    inTurn('a', async () => currentReader()),
  ];
  begun.resolve('begun');
  const [ofFirst, ofSecond, ofNobody] = await Promise.all(ended);
  expect(ofFirst).toBe(first);
  expect(ofSecond).toBe(second);
  expect(ofNobody).toBeUndefined();
});
