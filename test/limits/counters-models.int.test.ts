import { deepStrictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import { createRefunds } from '../../src/domains/limits/counters/refunds.js';
import { type CounterUse, counterOf } from '../../src/domains/limits/counters/store.js';
import { ALGORITHMS, type Algorithm, type Receipt } from '../../src/platform/gate.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { ModelStore } from './counter-models.js';
import { aUse, keepingKeys, plainRedis } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

/** Sequences at once: they share round trips, and nothing else. */
const LANES = 50;
/** Sequences of each algorithm by itself, and of mixtures of several. */
const ALONE = 1_400;
const MIXED = 2_000;
/** How many were played to their end, by the algorithms in them. */
const played = new Map<Algorithm, number>();
/** Many times what a busy machine takes. A failure is shrunk for as long. */
const LONGEST_MS = 60_000;

let server: TestRedis;
let plain: GuardedRedis;
let redis: GuardedRedis;

beforeAll(async () => {
  server = await startTestRedis();
  plain = plainRedis(server.url);
  redis = keepingKeys(plain);
});
afterAll(async () => {
  plain.close();
  await server.stop();
});

const unit = (algorithm: Algorithm, isNamed = false) =>
  fc.record({
    algorithm: fc.constant(algorithm),
    windowSeconds: fc.constantFrom(10, 60, 3_600),
    shadow: fc.constant(false),
    isNamed: fc.constant(isNamed),
  });
const named = unit('sliding_window_log', true);
const unnamed = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  windowSeconds: fc.constantFrom(10, 60, 3_600),
  shadow: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  isNamed: fc.constant(false),
});
const mixture = fc.array(fc.oneof({ weight: 4, arbitrary: unnamed }, named), { minLength: 2, maxLength: 4 });
type Shape = typeof mixture extends fc.Arbitrary<infer Value> ? Value : never;

/** Of a window; mostly forward. */
const advance = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 2, -0.5, -3),
  { weight: 3, arbitrary: fc.double({ min: 0, max: 0.4, noNaN: true }) },
  fc.double({ min: -1, max: 2.5, noNaN: true }),
);
const step = fc.record({
  advance,
  stray: fc.integer({ min: -2, max: 2 }),
  charges: fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 7 })), { minLength: 1, maxLength: 4 }),
  refund: fc.option(fc.record({ earlier: fc.nat(8), keep: fc.nat(2) }), { freq: 3 }),
  reload: fc.option(
    fc.record({ limit: fc.integer({ min: 1, max: 9 }), pace: fc.integer({ min: 1, max: 7 }) }),
    {
      freq: 6,
    },
  ),
});
const sequenceOf = (shape: fc.Arbitrary<Shape>) =>
  fc.record({
    shape,
    limit: fc.integer({ min: 1, max: 9 }),
    pace: fc.integer({ min: 1, max: 7 }),
    start: fc.nat(3_600_000_000),
    steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  });
type Sequence = ReturnType<typeof sequenceOf> extends fc.Arbitrary<infer Value> ? Value : never;

/** Plays one sequence against Redis and against memory, and holds them side by side. */
async function play({ shape, limit, pace, start, steps }: Sequence): Promise<void> {
  let now = Date.UTC(2026, 0, 1) * 1_000 + start;
  let newest = now;
  const store = createCounterStore(redis, () => now);
  const refunds = createRefunds({ redis, time: () => now, slotOf: () => '' });
  const model = new ModelStore();
  const owner = `u:${randomUUID()}`;
  const charged: {
    uses: readonly CounterUse[];
    receipt: Receipt;
    marks: { counter: string; mark: string }[];
  }[] = [];
  let tiers = tiersOf(shape, limit, pace);
  for (const { advance, stray, charges, refund, reload } of steps) {
    const stepped = now + Math.round(advance * shape[0]!.windowSeconds * 1_000_000) + stray;
    // Of a clock that goes back by more than 10 s, see counters-odd-values.int.test.ts.
    now = Math.max(stepped, newest - 10_000_000);
    newest = Math.max(newest, now);
    if (reload) tiers = tiersOf(shape, reload.limit, reload.pace);
    const checks = charges.map((charge) =>
      tiers.map((tier, index): CounterUse => {
        if (!shape[index]!.isNamed) return aUse(owner, tier, charge);
        return { ...aUse(owner, tier), name: `name-${charge}` };
      }),
    );
    const answers = await Promise.all(checks.map((uses) => store.charge(uses)));
    for (const [index, uses] of checks.entries()) {
      const { marks, ...expected } = model.charge(now, uses);
      const { receipt, ...answer } = answers[index]!;
      deepStrictEqual(answer, expected);
      deepStrictEqual(
        receipt.map(counterOf),
        marks.map(({ counter }) => counter),
      );
      if (answer.admitted) charged.push({ uses, receipt, marks });
    }
    if (refund && refund.earlier < charged.length) {
      const [{ uses, receipt, marks }] = charged.splice(-1 - refund.earlier, 1) as [(typeof charged)[number]];
      const part = receipt.map((entry) => ({ ...entry, charge: Math.max(1, entry.charge - refund.keep) }));
      await refunds.send(part);
      for (const [index, { counter, mark }] of marks.entries())
        model.refund(now, uses.find((use) => counterOf(use) === counter)!, part[index]!.charge, mark);
    }
    const uses = checks[0]!.map(({ name: _, ...use }) => use);
    deepStrictEqual(
      await store.peek(uses),
      uses.map((use) => model.read(now, use)),
    );
  }
  for (const algorithm of new Set(shape.map(({ algorithm }) => algorithm)))
    played.set(algorithm, (played.get(algorithm) ?? 0) + 1);
}

const tiersOf = (shape: Shape, limit: number, pace: number) =>
  shape.map(({ algorithm, windowSeconds, shadow }, index) =>
    aTier({
      algorithm,
      windowSeconds,
      shadow,
      limit: limit + index,
      perWindow: pace,
      counterId: `c${index}`,
    }),
  );

/** Every sequence is played, however slow the machine: one that gets no further fails. */
async function agree(shape: fc.Arbitrary<Shape>, sequences: number): Promise<void> {
  const lanes = fc.array(sequenceOf(shape), { minLength: LANES, maxLength: LANES });
  await fc.assert(
    fc.asyncProperty(lanes, async (sequences) => void (await Promise.all(sequences.map(play)))),
    { numRuns: sequences / LANES, interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true },
  );
}

describe('counters in Redis and the model in memory agree to the millisecond', () => {
  it.each(ALGORITHMS)(
    'over any sequence of charges, refunds, reloads and clock steps: %s',
    (algorithm) => agree(fc.tuple(unit(algorithm)), ALONE),
    2 * LONGEST_MS,
  );

  it(
    'over any sequence of charges with names, each counted once in a window',
    () => agree(fc.tuple(named), ALONE),
    2 * LONGEST_MS,
  );

  it(
    'over charges with names in several windows: all or nothing, and the one that stays full for longest refuses',
    () => agree(fc.array(named, { minLength: 2, maxLength: 3 }), ALONE),
    2 * LONGEST_MS,
  );

  it(
    'over any mixture of tiers: all or nothing, up to the first violated one without a name, shadows aside',
    () => agree(mixture, MIXED),
    2 * LONGEST_MS,
  );

  it('and each algorithm was played two thousand times at least, by itself and in mixtures', () => {
    for (const algorithm of ALGORITHMS) expect(played.get(algorithm)).toBeGreaterThanOrEqual(2_000);
  });
});
