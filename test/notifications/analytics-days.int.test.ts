import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSeries, readTotals, type Totals } from '../../src/domains/notifications/analytics/read.js';
import { reconcile } from '../../src/domains/notifications/analytics/reconcile.js';
import { forgetMinutes } from '../../src/domains/notifications/analytics/rollups.js';
import { readScope } from '../../src/domains/notifications/analytics/scope.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { deaths, mortal } from './mortal-postgres.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Somewhere within a day, an hour and a minute. */
const NOW = Date.UTC(2026, 10, 20, 13, 37, 11);
const SETTLED = NOW - (NOW % MINUTE) - 15 * MINUTE;
const FIRST_DAY = Date.UTC(2026, 7, 1);
const FIRST_MINUTE = Date.UTC(2026, 9, 10);
const running = new AbortController().signal;
const clock = { now: () => NOW };

let database: TestDatabase;
let postgres: Postgres;

/** Four kinds of deliveries: minutes of 41 days, hours of 111, and no day yet. */
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
  const insert = (seconds: number, from: number, until: number) =>
    postgres.query(
      `INSERT INTO notification_rollups (seconds, starts_at, channel, priority, notification_type, template_id, sent, delivered, latency_buckets, latency_counts)
       SELECT $1, at, channel, 'low', 'T', 'T', $1 / 60, $1 / 60, ARRAY[10, 20 + (extract(epoch FROM at)::bigint / 86400 % 5)::int]::smallint[], ARRAY[$1 / 60, $1 / 60]
       FROM generate_series($2::timestamptz, $3::timestamptz - interval '1 second', $1 * interval '1 second') AS at,
            unnest('{push,sms,email,in_app}'::text[]) AS channel`,
      [seconds, new Date(from), new Date(until)],
    );
  await insert(3_600, FIRST_DAY, SETTLED - (SETTLED % HOUR));
  await insert(60, FIRST_MINUTE, NOW);
  await postgres.query('VACUUM ANALYZE notification_rollups');
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** As a worker of a former version leaves it: all hours, no days. */
beforeEach(async () => {
  await postgres.query('DELETE FROM notification_rollups WHERE seconds = 86400');
  await postgres.query(
    'UPDATE notification_rollup_state SET closed_until = $1, settled_until = $1, days_until = $2',
    [new Date(SETTLED), new Date(FIRST_DAY)],
  );
});

const addUp = (by: Postgres = postgres) =>
  reconcile({ postgres: by, clock: { now: () => NOW - 14 * MINUTE } }, running);
const scopeOf = (from: number, to: number) => readScope({ from: new Date(from), to: new Date(to) });
const totals = (from: number, to: number, by: Queryable = postgres): Promise<Totals> =>
  readTotals(by, scopeOf(from, to));
const daysOf = async () =>
  (
    await postgres.query<{ at: Date; sent: number }>(
      'SELECT starts_at AS at, sum(sent)::int AS sent FROM notification_rollups WHERE seconds = 86400 GROUP BY 1 ORDER BY 1',
    )
  ).rows;
const stateOf = async () =>
  (await postgres.query<{ days: Date }>('SELECT days_until AS days FROM notification_rollup_state')).rows[0]!
    .days;
const TODAY = NOW - (NOW % DAY);
/** One of each channel a minute. */
const minutesIn = (from: number, to: number): number =>
  (Math.ceil(to / MINUTE) - Math.ceil(from / MINUTE)) * 4;

/** Blocks that each statement through it reads. */
function measuring() {
  const steps: number[] = [];
  const query = (statement: { text: string }, values: readonly unknown[]) =>
    postgres.transaction(async (tx) => {
      await tx.query('SAVEPOINT before_it');
      steps.push((await costOf(tx, statement, values)).blocks);
      await tx.query('ROLLBACK TO SAVEPOINT before_it');
      return tx.query(statement as never, values as never);
    });
  return { steps, by: { query } as unknown as Queryable };
}

describe('days', () => {
  it('are added up from settled hours, whichever version settled them, and change no answer', async () => {
    const spans = [
      [NOW - 90 * DAY + 7 * HOUR, NOW],
      [NOW - 40 * DAY, NOW - 3 * DAY],
      [TODAY - 3 * DAY, TODAY],
      [TODAY - 2 * DAY - HOUR, TODAY - DAY + 3 * MINUTE],
    ] as const;
    const before = await Promise.all(spans.map(([from, to]) => totals(from, to)));
    expect(before[1]!.sent).toBe(minutesIn(...spans[1]));
    await addUp();
    expect(await daysOf()).toHaveLength((TODAY - FIRST_DAY) / DAY);
    expect(new Set((await daysOf()).map(({ sent }) => sent))).toEqual(new Set([4 * 1_440]));
    expect((await stateOf()).getTime()).toBe(TODAY);
    expect(await Promise.all(spans.map(([from, to]) => totals(from, to)))).toEqual(before);
  });

  it('are added up once, though several do at once, or one is killed at any statement', async () => {
    await Promise.all([addUp(), addUp(), addUp()]);
    const expected = await daysOf();
    expect(expected).toHaveLength((TODAY - FIRST_DAY) / DAY);
    for (const { when, at } of deaths(6)) {
      await postgres.query('UPDATE notification_rollup_state SET days_until = $1', [
        new Date(TODAY - 5 * DAY),
      ]);
      await postgres.query('DELETE FROM notification_rollups WHERE seconds = 86400 AND starts_at >= $1', [
        new Date(TODAY - 5 * DAY),
      ]);
      await expect(addUp(mortal(postgres, when, at))).rejects.toThrow('killed');
      await addUp();
      expect(await daysOf()).toEqual(expected);
    }
  });

  it('are added up anew where a worker of a former version, or an operator, has hours settled anew', async () => {
    await addUp();
    const at = TODAY - 3 * DAY + 5 * HOUR;
    await postgres.query('UPDATE notification_rollup_state SET settled_until = $1', [new Date(at)]);
    expect((await stateOf()).getTime()).toBe(TODAY - 3 * DAY);
    await postgres.query(
      `UPDATE notification_rollups SET sent = sent + 7 WHERE channel = 'sms' AND starts_at = $1 AND seconds IN (60, 3600)`,
      [new Date(at)],
    );
    await postgres.query('UPDATE notification_rollup_state SET settled_until = $1', [new Date(SETTLED)]);
    expect((await totals(TODAY - 3 * DAY, TODAY)).sent).toBe(minutesIn(TODAY - 3 * DAY, TODAY) + 7);
    await addUp();
    expect((await stateOf()).getTime()).toBe(TODAY);
    expect((await totals(TODAY - 3 * DAY, TODAY)).sent).toBe(minutesIn(TODAY - 3 * DAY, TODAY) + 7);
    await postgres.query(
      `UPDATE notification_rollups SET sent = sent - 7 WHERE channel = 'sms' AND starts_at = $1 AND seconds IN (60, 3600)`,
      [new Date(at)],
    );
  });
});

describe('what an answer reads', () => {
  beforeEach(() => addUp());

  it('are days, and hours and minutes at the edges alone, whatever the span', async () => {
    const long = measuring();
    const found = await totals(NOW - 90 * DAY + 17 * MINUTE, NOW, long.by);
    expect(found.sent).toBeGreaterThan(89 * 1_440 * 4);
    expect(long.steps[0]).toBeLessThan(2_500);
  });

  it('are whole hours for a series of more than two days, though its steps cut them apart', async () => {
    const { steps, by } = measuring();
    const points = await readSeries(by, scopeOf(NOW - 30 * DAY, NOW), 3_600);
    expect(points).toHaveLength(720);
    // But for what is not settled: each has the hour that begins in it.
    expect(new Set(points.slice(0, -2).map(({ sent }) => sent))).toEqual(new Set([240]));
    expect(steps[0]).toBeLessThan(9_000);
  });

  it('is refused, saying how to narrow it, where a series of many days would need minutes', async () => {
    const series = (ms: number, step: number) => readSeries(postgres, scopeOf(NOW - ms, NOW), step);
    await expect(series(30 * DAY, 1_800)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('multiple of 3600'),
    });
    expect(await series(2 * DAY, 1_800)).toHaveLength(96);
    expect(await series(25 * HOUR, 60)).toHaveLength(1_500);
  });
});

describe('minutes of more than 30 days ago', () => {
  it('go in steps, and their hours stand for them; an hour that is counted anew keeps its minutes', async () => {
    await addUp();
    const span = [NOW - 36 * DAY + 3 * HOUR - (NOW % HOUR), TODAY] as const;
    const before = await totals(...span);
    const left = async () =>
      (
        await postgres.query<{ first: Date }>(
          'SELECT min(starts_at) AS first FROM notification_rollups WHERE seconds = 60',
        )
      ).rows[0]!.first.getTime();

    // Counted anew from here on.
    const anew = NOW - 35 * DAY;
    await postgres.query('UPDATE notification_rollup_state SET settled_until = $1', [new Date(anew)]);
    const forgetIn = forgetMinutes({ postgres, clock });
    while ((await forgetIn(4_000)) === 4_000);
    expect(await left()).toBe(anew - (anew % HOUR));
    await postgres.query('UPDATE notification_rollup_state SET settled_until = $1', [new Date(SETTLED)]);
    await addUp();

    const { steps, by } = measuring();
    await postgres.query('VACUUM notification_rollups');
    // Also while somebody may still see what was deleted, so that it is not gone.
    await postgres.transaction(async (other) => {
      await other.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await other.query('SELECT FROM notification_rollup_state');
      const forget = forgetMinutes({ postgres: by, clock });
      while ((await forget(4_000)) === 4_000);
    });
    expect(steps.length).toBeGreaterThan(10);
    expect(Math.max(...steps)).toBeLessThan(30_000);
    expect(await left()).toBe(NOW - 30 * DAY - (NOW % HOUR));
    expect(await totals(...span)).toEqual(before);
    // Times that meet share nothing and leave nothing out, also within an hour that has no minutes.
    const cut = NOW - 33 * DAY;
    const [one, other] = [await totals(span[0], cut), await totals(cut, span[1])];
    expect(one.sent + other.sent).toBe(before.sent);
  });
});
