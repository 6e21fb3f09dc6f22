import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { batchedReads } from '../../src/domains/feed/batched-reads.js';

/** As Postgres says that a statement took longer than it may. */
function tooSlow(): Error {
  const error = new pg.DatabaseError('canceling statement due to statement timeout', 0, 'error');
  error.code = '57014';
  return error;
}

it('thousands who come back from pauses of their own ask together', async () => {
  let asked = 0;
  const ask = batchedReads<number, number>(async (questions) => {
    asked += 1;
    return questions;
  });
  const all = Array.from({ length: 5_000 }, async (_, n) => {
    await pause(20 + Math.random() * 20);
    return ask(n);
  });
  expect(await Promise.all(all)).toEqual(all.map((_, n) => n));
  expect(asked).toBeLessThan(1_000);
});

/** Reads of which those that take too long are known beforehand; counts its statements. */
function slowReads(isTooSlow: (questions: readonly number[]) => boolean) {
  const made = { statements: 0, underWay: 0, atOnce: 0 };
  const ask = batchedReads<number, number>(async (questions) => {
    made.statements += 1;
    made.underWay += 1;
    made.atOnce = Math.max(made.atOnce, made.underWay);
    const fails = isTooSlow(questions);
    await pause(fails ? 20 : 1);
    made.underWay -= 1;
    if (fails) throw tooSlow();
    return questions;
  }, 100);
  return { made, ask };
}

async function failedOf(ask: (question: number) => Promise<number>, count: number): Promise<number[]> {
  const answers = await Promise.allSettled(Array.from({ length: count }, (_, n) => ask(n)));
  return answers.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
}

it.each([[[42]], [[3, 97]], [[10, 11]], [[0, 25, 99]]])(
  'of a hundred, %j, whose answers take too long, fail alone',
  async (slow) => {
    const { ask, made } = slowReads((questions) => questions.some((question) => slow.includes(question)));
    expect(await failedOf(ask, 100)).toEqual(slow);
    expect(made.statements).toBeLessThanOrEqual(11 + 10 * slow.length);
    expect(made.atOnce).toBeLessThanOrEqual(4);
  },
);

it('none fails where each by itself is quick, and many together take too long', async () => {
  const { ask } = slowReads((questions) => questions.length > 30);
  expect(await failedOf(ask, 100)).toEqual([]);
});

it('who shares a statement with one that takes too long is answered before that one has failed', async () => {
  const { ask } = slowReads((questions) => questions.includes(42));
  const settled: number[] = [];
  const note = (n: number) => () => settled.push(n);
  await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n).then(note(n), note(n))));
  expect(settled.at(-1)).toBe(42);
});

it('all fail after a few statements where the database is slow', async () => {
  const { ask, made } = slowReads(() => true);
  expect(await failedOf(ask, 100)).toHaveLength(100);
  // Four parts at once; three begin before the last of these has failed.
  expect(made.statements).toBeLessThanOrEqual(1 + 4 + 3);
});

it('nothing is asked again for more than four times as long as the first statement took', async () => {
  const { ask, made } = slowReads((questions) => questions.length > 1 || questions[0]! % 2 === 0);
  const begun = performance.now();
  const failed = await failedOf(ask, 30);
  expect(failed).toEqual(expect.arrayContaining([0, 2, 28]));
  expect(made.statements).toBeLessThan(50);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

it('all fail at once where the database is away', async () => {
  let asked = 0;
  const ask = batchedReads<number, number>(async () => {
    asked += 1;
    throw new Error('connection terminated');
  }, 100);
  const answers = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => ask(n)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(asked).toBe(1);
});
