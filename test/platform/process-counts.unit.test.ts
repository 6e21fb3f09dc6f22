import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { readCounts } from '../../src/platform/process-counts/counts.js';
import {
  type Contribution,
  goneAmong,
  type KnownProcesses,
  takeIn,
  totalsOf,
} from '../../src/platform/process-counts/merge.js';
import { quantileOf } from '../../src/platform/quantile.js';

const BOUNDS = [10, 20, 50, 100];
const NONE: KnownProcesses = new Map();

const bucketed = (values: readonly number[]): number[] => {
  const counts = [0, 0, 0, 0, 0];
  for (const value of values) {
    const bucket = BOUNDS.findIndex((bound) => value <= bound);
    counts[bucket === -1 ? BOUNDS.length : bucket]! += 1;
  }
  return counts;
};

const contribution = (at: number, requests: number, values: readonly number[] = []): Contribution => ({
  at,
  counts: { counters: { requests }, histograms: { ms: { bounds: BOUNDS, counts: bucketed(values) } } },
});

describe('the counts of a process', () => {
  const registry = new Registry();
  const counter = new Counter({ name: 'asked', help: '-', labelNames: ['result'], registers: [registry] });
  const histogram = new Histogram({
    name: 'took',
    help: '-',
    labelNames: ['kind'],
    buckets: [1, 2],
    registers: [registry],
  });
  const measured = {
    counters: {
      refused: { metric: 'asked', labels: { result: 'refused' } },
      all: { metric: 'asked' },
      times: { metric: 'took' },
      unheardOf: { metric: 'no_such_metric' },
    },
    histograms: {
      urgent: { metric: 'took', labels: { kind: 'urgent' } },
      all: { metric: 'took' },
      unheardOf: { metric: 'no_such_metric' },
    },
  };

  it('are those of the metrics that it has, by label, and 0 of those that it lacks', async () => {
    expect((await readCounts(registry, measured)).histograms).toEqual({});
    counter.inc({ result: 'refused' }, 3);
    counter.inc({ result: 'allowed' }, 4);
    for (const seconds of [0.5, 1, 1.5, 7]) histogram.observe({ kind: 'urgent' }, seconds);
    histogram.observe({ kind: 'other' }, 7);
    expect(await readCounts(registry, measured)).toEqual({
      counters: { refused: 3, all: 7, times: 5, unheardOf: 0 },
      histograms: {
        urgent: { bounds: [1, 2], counts: [2, 1, 1] },
        all: { bounds: [1, 2], counts: [2, 1, 2] },
      },
    });
  });
});

describe('what all processes do', () => {
  /** Of each process what it had counted, and what it counts within its second. */
  const processes = fc.array(
    fc.record({
      startedAt: fc.double({ min: 0, max: 1e6, noNaN: true }),
      ms: fc.integer({ min: 500, max: 2_000 }),
      earlier: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 20 }),
      values: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 50 }),
    }),
    { minLength: 1, maxLength: 8 },
  );

  it('is the sum of their rates, and the quantiles of all their values, in whatever order they are read', () => {
    fc.assert(
      fc.property(processes, fc.boolean(), (all, isReversed) => {
        const read = (at: 'begin' | 'end') => {
          const entries = all.map(({ startedAt, ms, earlier, values }, id): [string, Contribution] => {
            const counted = at === 'begin' ? earlier : [...earlier, ...values];
            return [`${id}`, contribution(startedAt + (at === 'begin' ? 0 : ms), counted.length, counted)];
          });
          return new Map(isReversed ? entries.toReversed() : entries);
        };
        const begun = takeIn(NONE, read('begin'), 0);
        expect(totalsOf(begun, 0).processes).toBe(0);
        const known = takeIn(begun, read('end'), 1_000);
        const totals = totalsOf(known, 1_000);
        expect(totals.processes).toBe(all.length);
        const rate = all.reduce((sum, { ms, values }) => sum + (values.length * 1_000) / ms, 0);
        expect(totals.perSecond.requests).toBeCloseTo(rate, 3);
        const counts = bucketed(all.flatMap(({ values }) => values));
        expect(totals.histograms.ms).toEqual({ bounds: BOUNDS, counts });
        for (const q of [0.5, 0.99])
          expect(quantileOf(BOUNDS, totals.histograms.ms!.counts, q)).toBe(quantileOf(BOUNDS, counts, q));
        // Read again, and nothing new is there.
        expect(takeIn(known, read('end'), 1_500)).toEqual(known);
      }),
    );
  });

  it('is no average of quantiles: one slow process among idle ones shows', () => {
    const begin = new Map([
      ['fast', contribution(0, 0)],
      ['slow', contribution(0, 0)],
    ]);
    const end = new Map([
      ['fast', contribution(1_000, 90, Array(90).fill(5))],
      ['slow', contribution(1_000, 10, Array(10).fill(90))],
    ]);
    const { histograms } = totalsOf(takeIn(takeIn(NONE, begin, 0), end, 1_000), 1_000);
    expect(quantileOf(BOUNDS, histograms.ms!.counts, 0.9)).toBe(10);
    expect(quantileOf(BOUNDS, histograms.ms!.counts, 0.99)).toBeGreaterThan(50);
  });

  it('goes on without a process that was killed, and without its contribution after a while', () => {
    const read = (at: number) => new Map([['killed', contribution(at, at)]]);
    let known = takeIn(takeIn(NONE, read(0), 0), read(1_000), 1_000);
    const stale = read(1_000);
    for (const [now, processes] of [
      [2_000, 1],
      [3_400, 1],
      [3_600, 0],
      [5_900, 0],
    ] as const) {
      known = takeIn(known, stale, now);
      expect(totalsOf(known, now).processes).toBe(processes);
      expect(goneAmong(known, stale)).toEqual([]);
    }
    known = takeIn(known, stale, 6_100);
    expect(goneAmong(known, stale)).toEqual(['killed']);
  });

  it('of a process that was frozen says nothing of the time in which it was', () => {
    const read = (at: number, requests: number) => new Map([['frozen', contribution(at, requests)]]);
    let known = takeIn(takeIn(NONE, read(0, 0), 0), read(1_000, 10), 1_000);
    known = takeIn(known, read(61_000, 600), 61_000);
    expect(totalsOf(known, 61_000).processes).toBe(0);
    known = takeIn(known, read(62_000, 630), 62_000);
    expect(totalsOf(known, 62_000).perSecond.requests).toBe(30);
  });

  it('spreads what a late contribution holds over the time that it is of', () => {
    const read = (at: number, requests: number) => new Map([['late', contribution(at, requests)]]);
    const known = takeIn(takeIn(NONE, read(0, 0), 0), read(2_000, 80), 2_000);
    expect(totalsOf(known, 2_000).perSecond.requests).toBe(40);
  });

  it('adds no buckets with other bounds, as another version may have them', () => {
    const other: Contribution = {
      at: 1_000,
      counts: { counters: { requests: 5 }, histograms: { ms: { bounds: [7], counts: [1, 0] } } },
    };
    const before: Contribution = { at: 0, counts: { counters: { requests: 0 }, histograms: {} } };
    const begin = new Map([
      ['own', contribution(0, 0)],
      ['other', before],
    ]);
    const end = new Map([
      ['own', contribution(1_000, 5, [1, 2, 30])],
      ['other', other],
    ]);
    const totals = totalsOf(takeIn(takeIn(NONE, begin, 0), end, 1_000), 1_000);
    expect(totals.perSecond.requests).toBe(10);
    expect(totals.histograms.ms).toEqual({ bounds: BOUNDS, counts: [2, 0, 1, 0, 0] });
  });
});
