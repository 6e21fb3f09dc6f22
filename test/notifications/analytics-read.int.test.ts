import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quantile } from '../../src/domains/notifications/analytics/latencies.js';
import type { Counter } from '../../src/domains/notifications/analytics/rollup.js';
import type { AnalyticsQuery } from '../../src/domains/notifications/analytics/scope.js';
import { readState } from '../../src/domains/notifications/analytics/state.js';
import { type AnalyticsWorld, type Counted, HOUR, MINUTE, openAnalyticsWorld } from './analytics-world.js';
import { until } from './notification-world.js';

let world: AnalyticsWorld;
let begin = 0;
let truth: readonly Counted[] = [];

/** Seven hours in which something happens now and then; the last one is still open. */
beforeAll(async () => {
  world = await openAnalyticsWorld();
  begin = world.now;
  const types = ['ORDER_SHIPPED', 'PASSWORD_RESET', 'WEEKLY_DIGEST'];
  for (let n = 0; n < 45; n++) {
    const ids = await world.send({ type: types[n % 3]! });
    world.now += n * 83 + 5;
    await world.report(ids.slice(0, 1), 'sent', 'delivered');
    await world.report(ids.slice(1), 'sent', n % 4 === 0 ? 'failed' : 'delivered');
    world.now += 90_000;
    if (n % 2 === 0) await world.report(ids, 'opened');
    else await world.scan(ids);
    if (n % 5 === 0) await world.report(ids, 'clicked');
    world.now += (n % 7) * 4 * MINUTE;
  }
  await until(async () => {
    await world.reconcile();
    await world.consume();
    truth = await world.truth();
    // Each run has 5 s, in which a crowded machine does not come to the end.
    const { settledUntil } = await readState(world.postgres);
    if (settledUntil.getTime() <= world.now - 16 * MINUTE) return false;
    return JSON.stringify(await world.stored()) === JSON.stringify(truth);
  }, 60_000);
  const hours = await world.stored(HOUR);
  expect(new Set(hours.map(({ startsAt }) => startsAt)).size).toBeGreaterThanOrEqual(4);
  expect(truth.at(-1)!.startsAt).toBeGreaterThan(hours.at(-1)!.startsAt + HOUR);
});
afterAll(() => world.close());

const read = (query: AnalyticsQuery) => {
  const { analytics } = world.notifications;
  return analytics.totals(analytics.scope(query));
};
const readSteps = (query: AnalyticsQuery, stepSeconds: number) => {
  const { analytics } = world.notifications;
  return analytics.series(analytics.scope(query), stepSeconds);
};

/** What the answer must be: the events' minutes, looked through one by one. */
function expected({ from, to, ...filter }: AnalyticsQuery) {
  const minutes = truth.filter(
    (one) =>
      one.startsAt >= from.getTime() &&
      one.startsAt < to.getTime() &&
      Object.entries(filter).every(
        ([name, value]) => value === undefined || one[name as keyof Counted] === value,
      ),
  );
  const sum = (counter: Counter) => minutes.reduce((all, { counts }) => all + (counts[counter] ?? 0), 0);
  const latencies = new Map<number, number>();
  for (const bucket of minutes.flatMap((one) => one.latencies))
    latencies.set(bucket, (latencies.get(bucket) ?? 0) + 1);
  return {
    sent: sum('sent'),
    delivered: sum('delivered'),
    opened: sum('opened'),
    clicked: sum('clicked'),
    failed: sum('failed'),
    suspectedBots: sum('suspected_bots'),
    latencies,
  };
}

const query = fc
  .record({
    fromMs: fc.integer({ min: -HOUR, max: 7 * HOUR }),
    lengthMs: fc.oneof(fc.integer({ min: 1, max: 8 * HOUR }), fc.constantFrom(MINUTE, HOUR, 3 * HOUR)),
    isRound: fc.boolean(),
    channel: fc.constantFrom('push' as const, 'email' as const, 'sms' as const, undefined),
    priority: fc.constantFrom('high' as const, 'medium' as const, undefined, undefined),
    notificationType: fc.constantFrom(
      'ORDER_SHIPPED',
      'WEEKLY_DIGEST',
      'NONE',
      undefined,
      undefined,
      undefined,
    ),
  })
  .map(({ fromMs, lengthMs, isRound, ...filter }) => {
    const from = begin + (isRound ? Math.floor(fromMs / HOUR) * HOUR : fromMs);
    return { from: new Date(from), to: new Date(from + lengthMs), ...filter };
  });

describe('analytics of a time', () => {
  it('are the sums of its events’ minutes, whatever the time and the filter', async () => {
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const { latencies, ...counts } = expected(asked);
        expect(await read(asked)).toMatchObject({
          ...counts,
          latencyMs: {
            p50: quantile(latencies, 0.5),
            p95: quantile(latencies, 0.95),
            p99: quantile(latencies, 0.99),
          },
        });
      }),
      { numRuns: 150 },
    );
  });

  it('step by step are those of each step, whatever the steps', async () => {
    const step = fc.oneof(
      fc.constantFrom(60, 120, 1_800, 3_600, 5_400, 7_200),
      fc.integer({ min: 1, max: 200 }).map((n) => n * 60),
    );
    await fc.assert(
      fc.asyncProperty(query, step, async (asked, seconds) => {
        const first = Math.ceil(asked.from.getTime() / MINUTE) * MINUTE;
        const points = await readSteps(asked, seconds);
        points.forEach((point, n) => {
          const from = new Date(first + n * seconds * 1_000);
          const to = new Date(Math.min(from.getTime() + seconds * 1_000, asked.to.getTime()));
          const { latencies, suspectedBots: _, ...counts } = expected({ ...asked, from, to });
          expect(point).toMatchObject({ at: from, ...counts, p99LatencyMs: quantile(latencies, 0.99) });
        });
        const covered = first + points.length * seconds * 1_000;
        expect(covered).toBeGreaterThanOrEqual(asked.to.getTime() - MINUTE + 1);
        expect(covered - seconds * 1_000).toBeLessThan(Math.max(asked.to.getTime(), first + 1));
      }),
      { numRuns: 100 },
    );
  });

  it('have rates, and none where there is nothing to divide by', async () => {
    const all = { from: new Date(begin), to: new Date(begin + 24 * HOUR) };
    const totals = await read(all);
    expect(totals.deliveryRate).toBe(totals.delivered / totals.sent);
    expect(totals.openRate).toBe(totals.opened / totals.delivered);
    expect(totals.clickRate).toBe(totals.clicked / totals.opened);
    expect(await read({ ...all, channel: 'sms' })).toMatchObject({
      ...{ sent: 0, deliveryRate: null, openRate: null, clickRate: null },
      latencyMs: { p50: null, p95: null, p99: null },
    });
  });

  it('are those of the template that requests named', async () => {
    const all = { from: new Date(begin), to: new Date(begin + 24 * HOUR) };
    const { templateId, notificationType } = truth[0]!;
    const totals = await read({ ...all, templateId });
    expect(totals.sent).toBeGreaterThan(0);
    expect(totals).toEqual(await read({ ...all, notificationType }));
    expect(await read({ ...all, templateId: 'another' })).toMatchObject({ sent: 0 });
    expect(await read({ ...all, templateId: 'not\0storable' })).toMatchObject({ sent: 0 });
  });

  it.each([null, '00000000-0000-4000-8000-000000000000'])(
    'of a campaign that there is not (%s) are nothing',
    async (campaignId) => {
      const asked = { from: new Date(begin), to: new Date(begin + HOUR), campaignId };
      expect(await read(asked)).toMatchObject({ sent: 0, delivered: 0, deliveryRate: null });
      expect(await readSteps(asked, 1_800)).toMatchObject([{ sent: 0 }, { sent: 0 }]);
    },
  );
});
