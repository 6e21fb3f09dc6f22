import { deepStrictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DeclaredRefusal } from '../../src/domains/limits/charge-or-admit.js';
import { createQuotas, type Quotas } from '../../src/domains/limits/quotas.js';
import { heldNoon, keepingKeys, plainRedis } from '../limits/counter-world.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

/** Sequences at once: they share round trips, and nothing else. */
const LANES = 50;
const SEQUENCES = 1_500;

let server: TestRedis;
let redis: ReturnType<typeof plainRedis>;

beforeAll(async () => {
  server = await startTestRedis();
  redis = keepingKeys(plainRedis(server.url));
});
afterAll(async () => {
  redis.client.disconnect();
  await server.stop();
});

interface Window {
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
}
interface Check {
  readonly userId: string;
  readonly name: string;
  readonly windows: readonly Window[];
}

/** Limits in memory, as plainly as possible; times in microseconds. */
class Model {
  private entries: { key: string; name: string; at: number }[] = [];

  charge(now: number, { userId, name, windows }: Check): DeclaredRefusal {
    const looks = windows.map((window) => this.look(now, `${userId} ${window.id}`, name, window));
    const waits = looks.map(({ wait }) => Math.ceil(wait / 1_000));
    const retryAfterMs = Math.max(...waits);
    if (retryAfterMs > 0) return { window: waits.indexOf(retryAfterMs), retryAfterMs };
    for (const { key, isIn, gone } of looks) {
      if (isIn) continue;
      // What is over by the time of a charge does not come back when the clock goes back.
      this.entries = this.entries.filter((one) => !gone.includes(one));
      this.entries.push({ key, name, at: now });
    }
    return null;
  }

  private look(now: number, key: string, name: string, { max, windowSeconds }: Window) {
    const isLive = (one: { at: number }, time: number) => time - one.at < windowSeconds * 1_000_000;
    const all = this.entries.filter((one) => one.key === key);
    const live = all.filter((one) => isLive(one, now));
    if (live.some((one) => one.name === name)) return { key, isIn: true, wait: 0, gone: [] };
    // It fits as soon as fewer than the window holds are left of those that are there now.
    const fitsAt = [now, ...live.map(({ at }) => at + windowSeconds * 1_000_000)]
      .filter((time) => live.filter((one) => isLive(one, time)).length < max)
      .sort((a, b) => a - b)[0]!;
    return { key, isIn: false, wait: fitsAt - now, gone: all.filter((one) => !isLive(one, now)) };
  }
}

const window = (id: string) =>
  fc.record({
    id: fc.constant(id),
    max: fc.integer({ min: 1, max: 4 }),
    windowSeconds: fc.constantFrom(1, 10, 60),
  });
const check = fc.record({
  user: fc.constantFrom('alice', 'bob'),
  name: fc.integer({ min: 0, max: 9 }),
  windows: fc.subarray([0, 1, 2, 3], { minLength: 1, maxLength: 3 }),
});
const sequence = fc.record({
  windows: fc.tuple(window('a'), window('b'), window('c'), window('d')),
  steps: fc.array(
    fc.record({
      advanceMs: fc.oneof(
        fc.constantFrom(0, 1_000, 10_000, 60_000, -5_000),
        fc.double({ min: -2_000, max: 12_000, noNaN: true }),
      ),
      /** A new version of the program may hold less, or more. */
      most: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 4 }),
      calls: fc.array(fc.array(check, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
type Sequence = typeof sequence extends fc.Arbitrary<infer Value> ? Value : never;

let refusals = 0;
let admissions = 0;

/** Plays a sequence against Redis and against memory, and holds them side by side. */
async function play({ windows: first, steps }: Sequence): Promise<void> {
  let now = heldNoon;
  let newest = now;
  const run = randomUUID();
  const quotas = openQuotas(() => now);
  const model = new Model();
  let windows: readonly Window[] = first;
  for (const { advanceMs, most, calls } of steps) {
    // Of a clock that goes back by more than 10 s, see counters-odd-values.int.test.ts.
    now = Math.max(now + Math.round(advanceMs * 1_000), newest - 10_000_000);
    newest = Math.max(newest, now);
    if (most !== null) windows = windows.map((one) => ({ ...one, max: most }));
    const checks = calls.map((call) =>
      call.map(
        (one): Check => ({
          userId: `${one.user}-${run}`,
          name: `name-${one.name}`,
          windows: one.windows.map((at) => windows[at]!),
        }),
      ),
    );
    const answers = await Promise.all(checks.map((call) => quotas.charge(call)));
    for (const [index, call] of checks.entries()) {
      const expected = call.map((one) => model.charge(now, one));
      deepStrictEqual(answers[index], expected);
      refusals += expected.filter((one) => one !== null).length;
      admissions += expected.filter((one) => one === null).length;
    }
  }
}

const openQuotas = (heldTime: () => number): Quotas =>
  createQuotas({
    redis,
    heldTime,
    failOpen: { count: neverCalled },
    onError: neverCalled,
  });

function neverCalled(): never {
  throw new Error('the counters are there');
}

it('quotas decide as the plain model does, whatever comes at whatever time, also when the clock goes back', async () => {
  const lanes = fc.array(sequence, { minLength: LANES, maxLength: LANES });
  await fc.assert(
    fc.asyncProperty(lanes, async (sequences) => {
      await Promise.all(sequences.map(play));
    }),
    { numRuns: SEQUENCES / LANES, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
  );
  expect(refusals).toBeGreaterThan(1_000);
  expect(admissions).toBeGreaterThan(1_000);
}, 90_000);
