import { expect, it } from 'vitest';
import { logFiguresOf, sampleOf } from '../../src/operations.js';

const at = new Date('2026-11-26T12:00:00Z');
const queue = { name: 'q', waiting: 1, active: 0, delayed: 0, failed: 0, oldestWaitingMs: 5 };
const nothing = {
  processes: 1,
  isWhole: true,
  perSecond: { deliveries: 0, feedReads: 0, rateLimited: 0 },
  histograms: {},
};

it('events a second are the growth of the log, over the time between its readings', () => {
  const before = { head: 100, lagMs: 0, at: 5_000 };
  expect(logFiguresOf(before, { head: 160, lagMs: 12, at: 6_500 }, 6_600)).toEqual({
    eventsPerSecond: 40,
    projectorLagMs: 12,
    isKnown: true,
  });
  expect(logFiguresOf(undefined, { head: 160, lagMs: 0, at: 6_500 }, 6_600).eventsPerSecond).toBe(0);
});

it('while Postgres does not answer nothing is appended, and what waited for a projector gets older', () => {
  expect(logFiguresOf({ head: 1, lagMs: 40, at: 1_000 }, undefined, 3_000)).toEqual({
    eventsPerSecond: 0,
    projectorLagMs: 2_040,
    isKnown: false,
  });
  expect(logFiguresOf({ head: 1, lagMs: 0, at: 1_000 }, undefined, 3_000).projectorLagMs).toBe(0);
  expect(logFiguresOf(undefined, undefined, 3_000).projectorLagMs).toBe(0);
});

it('a sample has milliseconds where histograms have seconds, and 0 where nothing was counted', () => {
  const log = { eventsPerSecond: 3, projectorLagMs: 4, isKnown: true };
  const counted = {
    ...nothing,
    processes: 3,
    perSecond: { deliveries: 1, feedReads: 2, rateLimited: 5 },
    histograms: { feedReads: { bounds: [0.1, 0.2], counts: [0, 100, 0] } },
  };
  expect(sampleOf(at, counted, [queue], log)).toEqual({
    at,
    queues: [queue],
    deliveriesPerSecond: 1,
    feedReadsPerSecond: 2,
    eventsPerSecond: 3,
    rateLimitedPerSecond: 5,
    projectorLagMs: 4,
    feedReadP99Ms: expect.closeTo(199, 5),
    highPriorityP99Ms: 0,
    processes: 3,
    isComplete: true,
  });
});

it.each([
  ['Redis did not answer', { ...nothing, isWhole: false }, [queue], true],
  ['the queues could not be looked at', nothing, undefined, true],
  ['Postgres did not answer', nothing, [queue], false],
])('a sample is not complete where %s', (_, counted, queues, isKnown) => {
  const sample = sampleOf(at, counted, queues, { eventsPerSecond: 0, projectorLagMs: 0, isKnown });
  expect([sample.isComplete, sample.queues]).toEqual([false, queues ?? []]);
});
