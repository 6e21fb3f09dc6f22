import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUCKET_BOUNDS_MS, bucketOf } from '../../src/domains/notifications/analytics/latencies.js';
import { reconcile } from '../../src/domains/notifications/analytics/reconcile.js';
import { type Happenings, happeningsIn } from './analytics-happenings.js';
import { type AnalyticsWorld, HOUR, MINUTE, openAnalyticsWorld } from './analytics-world.js';
import { deaths, mortal, pausing } from './mortal-postgres.js';
import { until } from './notification-world.js';

let world: AnalyticsWorld;
let inWorld: Happenings;
const running = new AbortController().signal;

beforeAll(async () => {
  world = await openAnalyticsWorld();
  inWorld = happeningsIn(world);
});
afterAll(() => world.close());

describe('a minute that is over', () => {
  it('is exact though Redis lost all that was published, or half of it', async () => {
    await inWorld.happen();
    await inWorld.loseRedis();
    await inWorld.happen();
    await inWorld.allTold();
    await world.consume();
    await inWorld.expectInexact();
    await inWorld.close();
    await inWorld.expectExact();
  });

  it('takes no more from the stream, which may come later than the count', async () => {
    await inWorld.happen();
    await inWorld.allTold();
    await inWorld.close();
    await inWorld.expectExact();
    await world.consume();
    await inWorld.expectExact();
  });

  it('is exact though the stream has everything twice', async () => {
    await inWorld.happen();
    await inWorld.allTold();
    await world.consume();
    await world.postgres.query("UPDATE notification_rollup_state SET stream_position = '0-0'");
    await world.consume();
    await inWorld.expectInexact();
    await inWorld.close();
    await inWorld.expectExact();
  });

  it('is counted anew where something of it was committed late', async () => {
    const minute = world.now;
    await inWorld.happen();
    await inWorld.close();
    const after = world.now;
    world.now = minute;
    await inWorld.happen();
    world.now = after;
    await world.reconcile();
    await inWorld.expectInexact();
    world.now = minute + 15 * MINUTE;
    await world.reconcile();
    await inWorld.expectInexact();
    world.now += 2 * MINUTE;
    await world.reconcile();
    await inWorld.expectExact();
  });

  it('is counted once, however many processes close it at once', async () => {
    await inWorld.happen();
    world.now += 20 * MINUTE;
    await Promise.all(Array.from({ length: 4 }, () => world.reconcile()));
    await world.reconcile();
    await inWorld.expectExact();
  });

  it('keeps its count though a process that was paused for a quarter of an hour ends it once more', async () => {
    await inWorld.close();
    const minute = (await inWorld.stateOf()).closedUntil.getTime();
    world.now = minute;
    await inWorld.happen();
    world.now = minute + 3 * MINUTE;
    const { paused, reached, goOn } = pausing(world.postgres);
    const slow = reconcile({ postgres: paused, clock: { now: () => minute + 3 * MINUTE } }, running);
    await reached;
    await world.reconcile();
    world.now = minute;
    await inWorld.happen();
    world.now = minute + 20 * MINUTE;
    await world.reconcile();
    goOn();
    await slow;
    await inWorld.expectExact();
  });

  it('is counted once by a process that is killed before, between or after its statements', async () => {
    for (const { when, at } of deaths(9)) {
      await inWorld.happen();
      world.now += 3 * MINUTE;
      const dying = { postgres: mortal(world.postgres, when, at), clock: { now: () => world.now } };
      await expect(reconcile(dying, running)).rejects.toThrow('killed');
      await world.reconcile();
      await inWorld.expectExact();
    }
  });

  it('is counted after an outage of hours, from where the last count came to', async () => {
    for (let n = 0; n < 4; n++) {
      await inWorld.happen();
      world.now += HOUR - 17 * MINUTE;
    }
    await inWorld.loseRedis();
    world.now += 3 * MINUTE;
    await until(async () => {
      await world.reconcile();
      return inWorld.isExact();
    });
  });

  it('is counted though a machine whose clock is a day ahead has ended it before it began', async () => {
    await inWorld.close();
    const ahead = { now: () => world.now + 24 * HOUR };
    await until(async () => {
      await reconcile({ postgres: world.postgres, clock: ahead }, running);
      return (await inWorld.stateOf()).settledUntil.getTime() > world.now + 23 * HOUR;
    });
    await inWorld.happen();
    await inWorld.allTold();
    await world.consume();
    await inWorld.close();
    await inWorld.expectExact();
    world.now += 20 * MINUTE;
    await world.reconcile();
    expect((await inWorld.stateOf()).settledUntil.getTime()).toBeLessThanOrEqual(world.now - 15 * MINUTE);
  });

  it('in which nothing happened takes no time of its own: a week of them is ended at once', async () => {
    world.now += 7 * 24 * HOUR;
    await until(async () => {
      await world.reconcile();
      return (await inWorld.stateOf()).settledUntil.getTime() > world.now - 16 * MINUTE;
    });
    await inWorld.expectExact();
  });

  it('keeps its counts once its events were let go', async () => {
    await inWorld.happen();
    await inWorld.close();
    const before = await world.stored();
    const { rows } = await world.postgres.query<{ event: object }>(
      'DELETE FROM delivery_events e WHERE at >= $1 RETURNING to_jsonb(e) AS event',
      [new Date(world.now - 10 * MINUTE)],
    );
    expect(rows.length).toBeGreaterThan(10);
    for (let minutes = 0; minutes < 20; minutes++) {
      world.now += MINUTE;
      await world.reconcile();
    }
    expect(await world.stored()).toEqual(before);
    await world.postgres.query(
      'INSERT INTO delivery_events SELECT * FROM jsonb_populate_recordset(NULL::delivery_events, $1)',
      [JSON.stringify(rows.map(({ event }) => event))],
    );
  });

  it('shows in a metric how long ago the last one was counted', async () => {
    world.now += 5 * MINUTE;
    await world.reconcile();
    const { closedUntil } = await inWorld.stateOf();
    expect(await world.metrics.getSingleMetricAsString('notification_analytics_lag_seconds')).toContain(
      `notification_analytics_lag_seconds ${(world.now - closedUntil.getTime()) / 1_000}`,
    );
  });

  it('is left to the next worker by one that drains', async () => {
    const before = await inWorld.stateOf();
    world.now += 10 * MINUTE;
    await reconcile({ postgres: world.postgres, clock: { now: () => world.now } }, AbortSignal.abort());
    expect(await inWorld.stateOf()).toEqual(before);
    await world.reconcile();
    expect(await inWorld.stateOf()).not.toEqual(before);
  });

  it('adds up to its hour, once nothing can be late any more', async () => {
    await inWorld.happen();
    world.now = (Math.floor(world.now / HOUR) + 1) * HOUR + 15 * MINUTE;
    await until(async () => {
      await world.reconcile();
      return (await inWorld.stateOf()).settledUntil.getTime() === world.now - 15 * MINUTE;
    });
    expect(await world.stored(HOUR)).toEqual(await world.truth(HOUR));
    await inWorld.expectExact();
  });
});

it('buckets of latencies are the same in Postgres and here', async () => {
  const near = BUCKET_BOUNDS_MS.flatMap((bound) => [Math.floor(bound), Math.ceil(bound)]);
  const latencies = [...near, ...Array.from({ length: 5_000 }, (_, n) => n - 10), Number.MAX_SAFE_INTEGER];
  const { rows } = await world.postgres.query<{ bucket: number }>(
    'SELECT width_bucket(ms, $2::float8[]) AS bucket FROM unnest($1::float8[]) AS ms',
    [latencies, BUCKET_BOUNDS_MS],
  );
  expect(rows.map(({ bucket }) => bucket)).toEqual(latencies.map(bucketOf));
});
