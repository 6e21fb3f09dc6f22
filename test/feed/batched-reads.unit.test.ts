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

it('one whose answer takes too long fails alone, and the others wait no longer than for their own half', async () => {
  const sizes: number[] = [];
  const answered: number[] = [];
  const ask = batchedReads<number, number>(async (questions) => {
    sizes.push(questions.length);
    if (!questions.includes(42)) return questions;
    await pause(5);
    throw tooSlow();
  }, 100);
  const all = Array.from({ length: 100 }, async (_, n) => {
    const answer = await ask(n);
    answered.push(sizes.length);
    return answer;
  });
  const answers = await Promise.allSettled(all);
  const failed = answers.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []));
  expect(failed).toEqual([42]);
  // Of the other half, before the next statements are made.
  expect(answered.filter((statements) => statements === 3)).toHaveLength(50);
  expect(sizes.length).toBeLessThanOrEqual(1 + 2 * 7);
});

it('all fail after three statements where the database is slow', async () => {
  let asked = 0;
  const ask = batchedReads<number, number>(async () => {
    asked += 1;
    throw tooSlow();
  }, 100);
  const answers = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => ask(n)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(asked).toBe(3);
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
