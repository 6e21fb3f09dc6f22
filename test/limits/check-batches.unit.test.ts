import { expect, it } from 'vitest';
import {
  type BatchLimits,
  type Check,
  createCheckBatches,
} from '../../src/domains/limits/counters/check-batches.js';
import type { Charged } from '../../src/domains/limits/counters/store.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const tier = aTier();
const charged: Charged = { admitted: true, readings: [], violated: -1, receipt: [] };

/** Batches that are answered when the test says so. */
function heldBatches(limits: Partial<BatchLimits>) {
  const sent: { owners: string[]; answer: () => void }[] = [];
  const batches = createCheckBatches(
    (checks: readonly Check[]) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      sent.push({
        owners: checks.map(({ uses }) => uses[0]!.owner),
        answer() {
          for (const check of checks) check.resolve(charged);
          resolve();
        },
      });
      return promise;
    },
    { checksABatch: 64, batchesAtOnce: Number.POSITIVE_INFINITY, ...limits },
  );
  return { batches, sent };
}

const addMany = (
  batches: ReturnType<typeof createCheckBatches>,
  count: number,
  name: string,
  isBulk = false,
) =>
  Promise.all(Array.from({ length: count }, (_, at) => batches.add([aUse(`${name}-${at}`, tier)], isBulk)));

const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

it('checks of one turn of the event loop are sent together, in their order', async () => {
  const { batches, sent } = heldBatches({});
  const answers = Promise.all([addMany(batches, 1, 'a'), addMany(batches, 2, 'b')]);
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent.map(({ owners }) => owners)).toEqual([['a-0', 'b-0', 'b-1']]);
  sent[0]!.answer();
  expect((await answers).flat()).toEqual([charged, charged, charged]);
});

it('a full batch leaves at once, however many are on their way', async () => {
  const { batches, sent } = heldBatches({});
  const answers = addMany(batches, 150, 'a');
  expect(sent.map(({ owners }) => owners.length)).toEqual([64, 64]);
  await nextTurn();
  expect(sent.map(({ owners }) => owners.length)).toEqual([64, 64, 22]);
  for (const { answer } of sent) answer();
  expect(await answers).toHaveLength(150);
});

it('no more batches are on their way than may be, so that none is late for waiting in Redis', async () => {
  const { batches, sent } = heldBatches({ checksABatch: 256, batchesAtOnce: 2 });
  const answers = addMany(batches, 5 * 256, 'bulk', true);
  for (let batch = 0; batch < 5; batch += 1) {
    await nextTurn();
    expect(sent).toHaveLength(Math.min(5, batch + 2));
    expect(sent[batch]!.owners).toHaveLength(256);
    sent[batch]!.answer();
  }
  expect(await answers).toHaveLength(5 * 256);
  expect(sent).toHaveLength(5);
  expect(sent[4]!.owners.at(-1)).toBe(`bulk-${5 * 256 - 1}`);
});

it('a single check does not wait behind a thousand of bulk', async () => {
  const { batches, sent } = heldBatches({ checksABatch: 256, batchesAtOnce: 2 });
  const bulk = addMany(batches, 1_000, 'bulk', true);
  const single = addMany(batches, 1, 'single');
  await nextTurn();
  sent[0]!.answer();
  await nextTurn();
  expect(sent[2]!.owners[0]).toBe('single-0');
  sent[2]!.answer();
  expect(await single).toEqual([charged]);
  for (const at of [1, 3]) {
    await nextTurn();
    sent[at]!.answer();
  }
  expect(await bulk).toHaveLength(1_000);
});

it('a flush sends what waits, and ends when all of it has an outcome', async () => {
  const { batches, sent } = heldBatches({ checksABatch: 2, batchesAtOnce: 1 });
  const answers = addMany(batches, 3, 'a');
  let isFlushed = false;
  const flushed = batches.flush().then(() => {
    isFlushed = true;
  });
  sent[0]!.answer();
  await nextTurn();
  expect(sent.map(({ owners }) => owners)).toEqual([['a-0', 'a-1'], ['a-2']]);
  expect(isFlushed).toBe(false);
  sent[1]!.answer();
  await flushed;
  expect(await answers).toHaveLength(3);
});
